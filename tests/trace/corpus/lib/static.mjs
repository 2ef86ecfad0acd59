// Serves a folder on loopback: node static.mjs FOLDER PORT
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const [folder, port] = process.argv.slice(2);

/** @type {Record<string, string>} */
const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".wasm": "application/wasm",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};

/** The file that an address means. @param {string} path */
function fileOf(path) {
  const file = join(folder, normalize(decodeURIComponent(path)));
  const index = join(file, "index.html");
  if (path.endsWith("/")) return existsSync(index) ? index : undefined;
  return existsSync(file) && statSync(file).isFile() ? file : undefined;
}

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const file = fileOf(pathname);
  if (!file) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPES[extname(file)] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "content-length": statSync(file).size });
  createReadStream(file).pipe(response);
}).listen(Number(port), "127.0.0.1");
