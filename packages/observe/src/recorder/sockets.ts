import dgram from "node:dgram";
import dns from "node:dns";
import http2 from "node:http2";
import { Socket } from "node:net";

import type { Watch } from "./boundary.js";
import { type Methods, wrap } from "./wrap.js";

/** How a server is called that listens at a path of this machine. */
export const LOCAL_SOCKET = "(local socket)";

/** Where sockets were told to connect to. Those of clients of this program are none of them. */
const addresses = new WeakMap<object, string>();

/**
 * Records what goes over the network below the drivers: what is not known by what one of them says is still seen to be
 * something.
 */
export function watchSockets(watch: Watch): void {
  const sockets = Socket.prototype as unknown as Methods;
  noteAddresses(sockets);
  watch(sockets, "connect", (values) => [`connect ${addressOf(values)}`]);
  for (const name of ["write", "end"]) {
    watch(sockets, name, ([data], self) => {
      const isOutput = self === process.stdout || self === process.stderr;
      if (isOutput || typeof self !== "object" || self === null) return [];
      if (name === "end" && (data === undefined || typeof data === "function")) return [];
      const address = addresses.get(self);
      if (address === undefined) return ["answer"];
      return [`${isOfHttp(self) ? "send" : "send raw"} ${address}`];
    });
  }
  watch(dgram.Socket.prototype as unknown as Methods, "send", () => ["send (datagram)"]);
  for (const object of [dns as unknown as Methods, dns.promises as unknown as Methods]) {
    watch(object, "lookup", ([host]) => [`dns ${String(host)}`]);
  }
  followHttp2(watch);
}

/** Whether a client of HTTP holds a socket just now: not one that was upgraded to something else. */
function isOfHttp(socket: object): boolean {
  const own = Object.getOwnPropertySymbols(socket).find((it) => it.description === "client");
  const { _httpMessage: message } = socket as { readonly _httpMessage?: unknown };
  return message != null || (own !== undefined && Reflect.get(socket, own) != null);
}

/** Requests of HTTP/2 are told to the session's own handle, not to a socket. */
function followHttp2(watch: Watch): void {
  wrap(http2, "connect", (target, self, values) => {
    const session = Reflect.apply(target, self, values) as Methods;
    const to = String(values[0]);
    const origin = URL.canParse(to) ? new URL(to).origin : "";
    // More than the answer that was asked for.
    wrap(session, "request", (ask, of, asked) => {
      const stream = Reflect.apply(ask, of, asked) as Methods;
      watch(stream, "write", () => ["send http2"]);
      return stream;
    });
    watch(session, "request", ([headers]) => {
      const method = (headers as Record<string, unknown> | undefined)?.[":method"];
      return [`http ${typeof method === "string" ? method : "GET"} ${origin}/:value`];
    });
    return session;
  });
}

/** Notes where sockets connect to, also before an await is under way. */
function noteAddresses(sockets: Methods): void {
  wrap(sockets, "connect", (target, self: object, values) => {
    try {
      addresses.set(self, addressOf(values));
    } catch {
      // What nobody can describe is connected to as before.
    }
    return Reflect.apply(target, self, values) as unknown;
  });
}

/** Where a socket connects to. */
function addressOf([first, second]: readonly unknown[]): string {
  // Node itself hands over what it has made of the arguments, in a list.
  const value = Array.isArray(first) ? (first[0] as unknown) : first;
  if (typeof value === "object" && value !== null) {
    const { host, port, path } = value as { host?: string; port?: number; path?: string | null };
    // `http` says that there is none by `null`.
    return path == null ? `${host ?? "localhost"}:${port ?? ""}` : LOCAL_SOCKET;
  }
  if (typeof value === "string" && Number.isNaN(Number(value))) return LOCAL_SOCKET;
  return `${typeof second === "string" ? second : "localhost"}:${String(value)}`;
}
