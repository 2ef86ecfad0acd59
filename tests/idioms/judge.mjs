// Compares what a program did before the rewrite with what it does after it.
import { overlap } from "./record.mjs";

/** @typedef {import("./trial.mjs").Run} Run */
/** @typedef {import("./trial.mjs").Scenario} Scenario */
/** @typedef {Record<Scenario, Run>} Runs */
/** @typedef {import("./idioms.mjs").Idiom} Idiom */

/**
 * @param {Idiom} idiom @param {Runs} before @param {Runs} after
 * @returns {string[]} what is wrong; nothing if all is right
 */
export function judge(idiom, before, after) {
  return [
    ...tells(idiom, before),
    ...sameWork(before["all well"], after["all well"]),
    ...overlaps(idiom, before["all well"], after["all well"]),
    ...Object.entries(after).flatMap(([scenario, run]) =>
      sameEnd(/** @type {Scenario} */ (scenario), before, run),
    ),
  ];
}

/** A trial says nothing where the requests are not there, or do not fail when they are told to. */
function tells(/** @type {Idiom} */ idiom, /** @type {Runs} */ before) {
  const well = before["all well"];
  const wrong = [];
  if (well.error) wrong.push(`before, it fails: ${well.error}`);
  if (overlap(well.requests, idiom.first, idiom.second) === undefined)
    wrong.push(`before, the two requests are not seen: ${texts(well).join(" | ")}`);
  for (const scenario of /** @type {Scenario[]} */ (["second fails", "first fails"]))
    if (end(before[scenario]) === end(well)) wrong.push(`before, "${scenario}" changes nothing`);
  return wrong;
}

/** Each query is sent once: a lazy one neither twice nor never. */
function sameWork(/** @type {Run} */ before, /** @type {Run} */ after) {
  const [was, is] = [texts(before).sort(), texts(after).sort()];
  const wrong = [];
  if (was.join("\n") !== is.join("\n"))
    wrong.push(`requests differ: ${was.join(" | ")} → ${is.join(" | ")}`);
  if (before.lines.join("\n") !== after.lines.join("\n"))
    wrong.push(`lines differ: ${before.lines.join(" | ")} → ${after.lines.join(" | ")}`);
  return wrong;
}

function overlaps(/** @type {Idiom} */ { first, second, inProcess }, /** @type {Run} */ before, /** @type {Run} */ after) {
  const wrong = [];
  if (overlap(before.requests, first, second)) wrong.push("the requests overlap before");
  if (!inProcess && !overlap(after.requests, first, second))
    wrong.push("the second request is sent only after the first one was answered");
  return wrong;
}

/**
 * The same value, or the same error. Where both requests fail, either error may be thrown: the
 * documentation of the rule says so.
 */
function sameEnd(/** @type {Scenario} */ scenario, /** @type {Runs} */ before, /** @type {Run} */ run) {
  const wrong = run.unhandled.map((error) => `${scenario}: nobody handles ${error}`);
  const allowed = [end(before[scenario])];
  if (scenario === "both fail") allowed.push(end(before["second fails"]));
  if (!allowed.includes(end(run)))
    wrong.push(`${scenario}: ends with ${end(run)}, not with ${allowed.join(" or ")}`);
  return wrong;
}

const end = (/** @type {Run} */ { value, error }) => value ?? `the error ${error}`;

const texts = (/** @type {Run} */ { requests }) => requests.map(({ text }) => text);
