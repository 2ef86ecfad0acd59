import { HeadstartError } from "./errors.js";

/** The value of an option that is a whole number, from `least` on; anything else is an error that names the option. */
export function wholeNumber(option: string, text: string, least: number): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= least) return number;
  throw new HeadstartError(
    `"${text}" is not a value of "--${option}"; expected a whole number from ${least} to 999999`,
  );
}
