import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
};

const PIXEL = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';

/** A server that runs. */
export interface Server {
  /** With a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `test/pages`, and what the pages fetch, at a free port of this machine. */
export async function serve(): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void respond(request, response);
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("upgrade", greet);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
    });
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? "/").slice(1).replace(/\?.*/, "");
  const send = (type: string, text: string | Buffer): void => {
    response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(text);
  };
  // Only the client ends it.
  if (path === "slow") return;
  if (path === "data.json") {
    send("application/json", '{"some": "data"}');
  } else if (path === "pixel.svg") {
    send("image/svg+xml", PIXEL);
  } else if (path === "events") {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: one\n\n");
  } else {
    const file = fileURLToPath(new URL("pages/" + path, import.meta.url));
    const text = await readFile(file).catch(() => undefined);
    if (text === undefined) response.writeHead(404).end();
    else send(TYPES[extname(file)] ?? "text/plain", text);
  }
}

/** A WebSocket that sends one message, and closes when it is asked to. */
function greet(request: IncomingMessage, socket: Duplex): void {
  const key = String(request.headers["sec-websocket-key"]);
  const accept = createHash("sha1")
    .update(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
    .digest("base64");
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  socket.on("error", () => undefined);
  socket.on("data", (data: Buffer) => {
    // A text from the client is answered with one; the code of its close, with the same.
    if (data[0] === 0x81) socket.write(Buffer.from([0x81, 2, 0x68, 0x69]));
    if (data[0] === 0x88) socket.end(Buffer.from([0x88, 2, 0x03, 0xe8]));
  });
}
