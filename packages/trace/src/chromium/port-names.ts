import type { Chain, Copy, Join, Receipt } from "./port-chains.js";
import type { PortPairs } from "./port-pairs.js";

/** Joins what is sent by a port that is known; returns what is left. */
export function joinByNames(
  chains: readonly Chain[],
  copies: readonly Copy[],
  pairs: PortPairs,
  join: Join,
): Chain[] {
  const queues = groupBy(
    copies.filter(({ port }) => port !== ""),
    ({ port }) => port,
  );
  const isKnown = ({ head, found }: Chain): boolean =>
    head.port !== "" && found.every(({ receipts }) => receipts.every(({ port }) => port !== ""));
  const known = chains.filter(isKnown);
  const wakings = new Map(known.map(({ head, waking }) => [head, waking?.port ?? ""]));
  const receipts = known.flatMap(({ head, found }) => [
    head,
    ...found.flatMap((it) => it.receipts),
  ]);
  // What comes to one port may be in several chains, and one chain may have what comes to several.
  for (const receipt of receipts.sort((one, other) => one.time - other.time)) {
    const { port } = receipt;
    const sender =
      pairs
        .sendersTo(port, wakings.get(receipt) ?? "")
        .find((name) => (queues.get(name)?.length ?? 0) > 0) ??
      startedPort(queues, [receipt], (from) => pairs.maySend(from, port));
    const copy = queues.get(sender)?.shift();
    if (copy === undefined) continue;
    pairs.sends(sender, port);
    join([receipt], [copy]);
  }
  return chains.filter((chain) => {
    if (isKnown(chain)) return false;
    const { head, waking, found } = chain;
    const all = [head, ...found.flatMap((it) => it.receipts)];
    const port = waking?.port ?? startedPort(queues, all, (from) => pairs.maySend(from, ""));
    const queue = queues.get(port);
    if (queue !== undefined) join(all, queue.splice(0, all.length));
    return queue === undefined;
  });
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * The port whose messages a port may find that nothing has woken: of those that may send to it as far as anybody knows, the
 * one that has waited longest.
 */
function startedPort(
  queues: ReadonlyMap<string, Copy[]>,
  receipts: readonly Receipt[],
  maySend: (port: string) => "no" | "maybe" | "yes",
): string {
  const [first, last] = [receipts[0]?.time ?? 0, receipts.at(-1)?.time ?? 0];
  let best: { port: string; time: number; isSure: boolean } | undefined;
  for (const [port, [copy, ...rest]] of queues) {
    const may = copy === undefined || copy.time >= first ? "no" : maySend(port);
    if (copy === undefined || may === "no") continue;
    if ((rest[receipts.length - 2]?.time ?? -Infinity) > last) continue;
    const isSure = may === "yes";
    const isBetter = isSure === best?.isSure ? copy.time < best.time : isSure || best === undefined;
    if (isBetter) best = { port, time: copy.time, isSure };
  }
  return best?.port ?? "";
}
