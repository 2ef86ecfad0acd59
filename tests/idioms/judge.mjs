// Compares what a program did before the rewrite with what it does after it.
import { overlap } from "./record.mjs";

/** @typedef {import("./trial.mjs").Run} Run */
/** @typedef {import("./trial.mjs").Scenario} Scenario */
/** @typedef {import("./trial.mjs").Runs} Runs */
/** @typedef {import("./idioms.mjs").Idiom} Idiom */

/**
 * @param {Idiom} idiom @param {Runs} before @param {Runs} after
 * @returns {string[]} what is wrong; nothing if all is right
 */
export function judge(idiom, before, after) {
  const [was, is] = [before["all well"], after["all well"]];
  const isOne = idiom.isMerged && is.requests.length === 1;
  return [
    ...sameLines(was, is),
    ...(isOne ? [] : [...sameRequests(before, after), ...overlaps(idiom, is)]),
    ...sameEnds(before, after),
  ];
}

/**
 * A trial says nothing where the requests are not there, overlap by themselves, or do not fail when they
 * are told to.
 *
 * @param {Idiom} idiom @param {Runs} before
 * @returns {string[]} why it says nothing; nothing if it is good
 */
export function findMisfits(idiom, before) {
  const { "all well": well, ...failing } = before;
  const wrong = [];
  if (well.error) wrong.push(`it fails: ${well.error}`);
  const isOverlapping = overlap(well.requests, idiom.first, idiom.second);
  if (isOverlapping === undefined)
    wrong.push(`the two requests are not seen: ${texts(well).join(" | ")}`);
  if (isOverlapping) wrong.push("the requests overlap");
  for (const [scenario, run] of Object.entries(failing))
    if (end(run) === end(well)) wrong.push(`"${scenario}" changes nothing`);
  return wrong;
}

/**
 * Each query is sent once: a lazy one neither twice nor never. Where the first one fails, the second is
 * not sent before the rewrite, but may be after it.
 */
function sameRequests(/** @type {Runs} */ before, /** @type {Runs} */ after) {
  const all = texts(before["all well"]);
  return entries(after).flatMap(([scenario, run]) => [
    ...surplus(texts(run), all).map((text) => `${scenario}: sent once more: ${text}`),
    ...surplus(texts(before[scenario]), texts(run)).map((text) => `${scenario}: not sent: ${text}`),
  ]);
}

/** What one list has more often than another. @param {string[]} list @param {string[]} other */
function surplus(list, other) {
  const left = [...other];
  return list.filter((text) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Lines may change places. */
function sameLines(/** @type {Run} */ { lines: was }, /** @type {Run} */ { lines: is }) {
  const isSame = was.join("\n") === is.join("\n");
  return isSame ? [] : [`lines differ: ${was.join(" | ")} → ${is.join(" | ")}`];
}

function overlaps(/** @type {Idiom} */ { first, second, inProcess }, /** @type {Run} */ after) {
  const isLate = !inProcess && !overlap(after.requests, first, second);
  return isLate ? ["the second request is sent only after the first one was answered"] : [];
}

/** The same value, or the same error, which somebody handles. */
function sameEnds(/** @type {Runs} */ before, /** @type {Runs} */ after) {
  return entries(after).flatMap(([scenario, run]) => {
    const wrong = run.unhandled.map((error) => `${scenario}: nobody handles ${error}`);
    const allowed = allowedEnds(scenario, before);
    const isAlike = allowed ? allowed.includes(end(run)) : run.error !== undefined;
    if (!isAlike)
      wrong.push(`${scenario}: ends with ${end(run)}, not with ${allowed?.join(" or ")}`);
    return wrong;
  });
}

/**
 * Where both requests fail, either error may be thrown: the documentation of the rule says so.
 *
 * @param {Scenario} scenario @param {Runs} before
 * @returns {string[] | undefined} undefined if it may be any error: that of the second request is not
 *   known where requests only fail together
 */
function allowedEnds(scenario, before) {
  if (scenario !== "both fail") return [end(before[scenario])];
  const second = before["second fails"];
  return second && [end(before[scenario]), end(second)];
}

/** @param {Runs} runs */
const entries = (runs) => /** @type {[Scenario, Run][]} */ (Object.entries(runs));

const end = (/** @type {Run} */ { value, error }) => value ?? `the error ${error}`;

const texts = (/** @type {Run} */ { requests }) => requests.map(({ text }) => text);
