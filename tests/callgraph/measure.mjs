// Compares a static call graph with what was recorded.
//
// Recall is the share of executed edges that the static graph has. Precision is measured for every
// tool alike: of the static edges of call sites that were executed at least once, the share that
// was observed. Tests do not execute everything a call can do, so it is a lower bound. Functions
// that run later, such as a promise's callbacks, are not observed at the call that hands them over;
// so precision is also given for call sites with a direct callee of the program only.
//
// The loading of modules is left out: edges to a module's top level count nowhere.

/**
 * @typedef {import("./record.mjs").Recording} Recording
 * @typedef {{ files: string[], functions: Record<string, string>, calls: Record<string, string>,
 *   fun2fun: [number, number][], call2fun: [number, number][] }} Graph
 * @typedef {{ hit: number, of: number }} Share
 * @typedef {{ direct: Share, functions: Share, precision: Share, precisionDirect: Share,
 *   edges: number }} Measures
 */

/**
 * @param {string[]} files
 * @param {string} at
 */
function parts(files, at) {
  const [file, ...numbers] = at.split(":");
  const [startLine, startColumn, endLine, endColumn] = numbers;
  return {
    exact: `${files[Number(file)]}:${numbers.join(":")}`,
    start: `${files[Number(file)]}:${startLine}:${startColumn}`,
    end: `${files[Number(file)]}:${endLine}:${endColumn}`,
  };
}

/**
 * Finds what was recorded for the places of a static graph: by start and end, else by start, else
 * by end, where only one thing is there and no other place is exactly that thing.
 *
 * @param {string[]} files
 * @param {Record<number, string>} recorded
 * @param {Record<number, string>} also
 * @param {Set<number>} [modules]
 */
function finder(files, recorded, also = {}, modules = new Set()) {
  /** @type {Record<"exact" | "start" | "end", Map<string, number>>} */
  const maps = { exact: new Map(), start: new Map(), end: new Map() };
  for (const table of [also, recorded]) {
    for (const [id, at] of Object.entries(table)) {
      const place = parts(files, at);
      maps.exact.set(place.exact, Number(id));
      if (modules.has(Number(id)) || table === also) continue;
      for (const by of /** @type {const} */ (["start", "end"])) {
        maps[by].set(place[by], maps[by].has(place[by]) ? -1 : Number(id));
      }
    }
  }
  /**
   * @param {string[]} theirFiles
   * @param {Record<string, string>} theirs
   * @returns {Map<number, string>} Their number to ours, or to the place where we have nothing.
   */
  return (theirFiles, theirs) => {
    const places = Object.entries(theirs).map(
      ([id, at]) => /** @type {const} */ ([Number(id), parts(theirFiles, at)]),
    );
    const exact = new Map(places.map(([id, place]) => [id, maps.exact.get(place.exact)]));
    const taken = new Set(exact.values());
    return new Map(
      places.map(([id, place]) => {
        const loose = [maps.start.get(place.start), maps.end.get(place.end)].find(
          (found) => found !== undefined && found >= 0 && !taken.has(found),
        );
        return [id, String(exact.get(id) ?? loose ?? place.exact)];
      }),
    );
  };
}

/** @param {Set<string>} wanted @param {Set<string>} found @returns {Share} */
function share(wanted, found) {
  return { hit: [...wanted].filter((edge) => found.has(edge)).length, of: wanted.size };
}

/**
 * @param {Recording} recording
 * @param {Graph} graph
 * @returns {Measures}
 */
export function measure(recording, graph) {
  const { files, functions, also, calls, executed } = recording;
  const modules = new Set(recording.modules);
  const funs = finder(files, functions, also, modules)(graph.files, graph.functions);
  const sites = finder(files, calls)(graph.files, graph.calls);
  const isModule = (/** @type {number | string} */ id) => modules.has(Number(id));

  const staticCalls = new Set();
  for (const [call, fun] of graph.call2fun) {
    if (!isModule(funs.get(fun) ?? "")) staticCalls.add(`${sites.get(call)} ${funs.get(fun)}`);
  }
  const staticFuns = new Set();
  for (const [from, to] of graph.fun2fun) staticFuns.add(`${funs.get(from)} ${funs.get(to)}`);

  const observed = new Set();
  const direct = new Set();
  for (const [call, fun, kind] of recording.call2fun) {
    if (isModule(fun)) continue;
    observed.add(`${call} ${fun}`);
    if (kind === "direct") direct.add(`${call} ${fun}`);
  }
  const executedFuns = new Set();
  for (const [from, to, kind] of recording.fun2fun) {
    const counts = kind === "direct" || kind === "via-native";
    if (counts && !isModule(to)) executedFuns.add(`${from} ${to}`);
  }
  const siteOf = (/** @type {string} */ edge) => edge.slice(0, edge.indexOf(" "));
  const judged = (/** @type {Set<string>} */ at) =>
    share(new Set([...staticCalls].filter((edge) => at.has(siteOf(edge)))), observed);
  return {
    direct: share(direct, staticCalls),
    functions: share(executedFuns, staticFuns),
    precision: judged(new Set(executed.map(String))),
    precisionDirect: judged(new Set([...direct].map(siteOf))),
    edges: staticCalls.size,
  };
}
