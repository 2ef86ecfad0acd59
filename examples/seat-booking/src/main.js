import { book, bookAtomically } from "./booking.js";
import { Seats } from "./seats.js";
import { serverOf } from "./server.js";

// BOOKING=plain shows the mistake.
const sell = process.env.BOOKING === "plain" ? book : bookAtomically;
const server = serverOf(new Seats(process.env.SEATS ?? "seats"), sell);
server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
