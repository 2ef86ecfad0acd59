import type { Operation } from "./evidence.js";

/** Names that this machine has. */
const OWN = /^(?:localhost|127\.0\.0\.1|\[?::1\]?|0\.0\.0\.0)(?=:|$)/;
/** What is seen of a connection: where that leads. */
const OF_CONNECTION = /^(?:connect|send)( raw)? (.+)$/;
/** What is noted where a client of a database names the server. */
const SERVER = "server ";

/** The servers that clients of databases have named. */
export function serversIn(all: readonly (readonly Operation[])[]): ReadonlySet<string> {
  const named = all.flat().filter(({ what }) => what.startsWith(SERVER));
  return new Set(named.map(({ what }) => own(what.slice(SERVER.length))));
}

/**
 * The operations of an await without connections to servers, and what is sent there, where a client has said what that is for.
 * Databases are known wherever one of their clients has named them, other servers by requests of the same await.
 */
export function explained(
  operations: readonly Operation[],
  servers: ReadonlySet<string>,
): Operation[] {
  const requested = new Set(operations.flatMap(({ what }) => addressOfRequest(what)));
  return operations.filter(({ what }) => {
    const [, raw, to = ""] = OF_CONNECTION.exec(what) ?? [];
    const address = own(to);
    const isRequested = raw === undefined && requested.has(address);
    return !(what.startsWith(SERVER) || servers.has(address) || isRequested);
  });
}

/** Ports that tests and their servers get from the system, each time others. */
const PASSING = /(?<![\w.:-])(localhost|127\.0\.0\.1|\[::1\]|::1):(?:3[2-9]|[4-6]\d)\d{3}\b/g;

/** The same operations, where ports of this machine that only pass are not told apart. */
export function withoutPorts(operations: readonly Operation[]): Operation[] {
  return summed(
    operations.map(({ what, times }) => ({ what: what.replace(PASSING, "$1:port"), times })),
  );
}

/** Operations, each once. */
export function summed(operations: readonly Operation[]): Operation[] {
  const all = new Map<string, number>();
  for (const { what, times } of operations) all.set(what, times + (all.get(what) ?? 0));
  return [...all].map(([what, times]) => ({ what, times }));
}

function addressOfRequest(what: string): string[] {
  const [kind, , address] = what.split(" ");
  if (kind !== "http" || address === undefined || !URL.canParse(address)) return [];
  const { hostname, port, protocol } = new URL(address);
  return [own(`${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`)];
}

function own(address: string): string {
  return address.replace(OWN, "localhost");
}
