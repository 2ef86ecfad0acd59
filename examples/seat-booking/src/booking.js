import { atomic } from "headstart-activities";

/**
 * Sells a seat where it is free. Between the look and the sale is an `await`: two guests who ask at the same time both
 * find it free, and both get it.
 */
export async function book(seats, seat, guest) {
  if ((await seats.holder(seat)) !== undefined) return false;
  await seats.give(seat, guest);
  return true;
}

/** The same, and nobody else does anything in between. */
export function bookAtomically(seats, seat, guest) {
  return atomic(() => book(seats, seat, guest));
}
