// What is printed: a line for each idiom, more where it is wrong, and a closing line.

/** @typedef {"right" | "wrong" | "not found" | "left alone" | "not run"} Verdict */

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {Verdict} verdict
 * @property {string} level of the findings
 * @property {string} kind of the server
 * @property {string} note
 * @property {string[]} [wrong] what is
 * @property {string} [rewritten] the program after
 */

/** @param {Result} result @returns {Result} the same */
export function printResult(result) {
  const { name, verdict, level, note, wrong = [], rewritten = "" } = result;
  const lines = [`${name.padEnd(28)} ${level.padEnd(15)} ${verdict.padEnd(11)} ${note}`];
  lines.push(...wrong.map((line) => `  ${line}`));
  if (wrong.length > 0 && rewritten) lines.push(rewritten.trimEnd().replace(/^/gm, "  | "));
  console.log(lines.map((line) => line.trimEnd()).join("\n"));
  return result;
}

/** @param {Result[]} results @returns {boolean} whether all that ran is right */
export function summarize(results) {
  /** @param {(result: Result) => boolean} test */
  const names = (test) => results.filter(test).map(({ name }) => name);
  const right = names(({ verdict }) => verdict === "right");
  const wrong = names(({ verdict }) => verdict === "wrong");
  const unfound = names(({ verdict }) => verdict === "not found");
  const alone = names(({ verdict }) => verdict === "left alone");
  const skipped = names(({ verdict }) => verdict === "not run");
  const real = names(({ verdict, kind }) => verdict === "right" && kind === "real server");
  const due = right.length + wrong.length + unfound.length;
  const parts = [
    `${right.length + wrong.length} of ${due} found`,
    `${right.length} right`,
    `${real.length} against a real server`,
    alone.length > 0 && `${alone.length} rightly left alone`,
    skipped.length > 0 && `not run: ${skipped.join(" ")}`,
  ];
  console.log(`idioms: ${parts.filter(Boolean).join(", ")}`);
  return wrong.length + unfound.length === 0;
}
