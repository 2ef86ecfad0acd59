// How deep calls and how long loops go before what `optimize` writes lets others run, and how many arguments it lets
// stand on the stack: lowered, so that every construct meets the hand-over at every place.

const DEPTH = /(\(\$depth[\w$.]* = \$level[\w$]* \+ )\d+(\) > )\d+/g;
const LIST = /(\.length > )512\b/g;
const FUEL = /(\$fuel[\w$]* = )(?:262144|256)\b/g;
const ROUNDS = /& (?:262143|255)\) === (?:262143|255)\b/g;

/** The code, with calls only `depth` deep, and `rounds` (a power of two) of a loop. */
export function lowered(code, { depth, rounds }) {
  return code
    .replace(DEPTH, (_, before, behind) => `${before}1${behind}${String(depth)}`)
    .replace(LIST, "$10")
    .replace(FUEL, `$1${String(rounds - 1)}`)
    .replace(ROUNDS, `& ${String(rounds - 1)}) === ${String(rounds - 1)}`);
}

/** Whether some code looks how deep its calls are. */
export const counts = (code) => code.search(DEPTH) !== -1;
