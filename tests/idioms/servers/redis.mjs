import { createClient } from "redis";
import { Messages, openProxy } from "./proxy.mjs";
import { freePort, handOver, startServer } from "./process.mjs";

/** @param {Buffer} bytes @param {number} from @param {string} mark the number behind it, and where it ends */
function numberAt(bytes, from, mark) {
  const end = bytes.indexOf("\r\n", from);
  if (end < 0) return undefined;
  if (String.fromCharCode(bytes[from]) !== mark) throw new Error("this is no command of Redis");
  return { number: Number(bytes.toString("latin1", from + 1, end)), next: end + 2 };
}

/** @param {Buffer} bytes a command is a list of strings, each with its length in front */
function takeCommand(bytes) {
  const count = bytes.length > 0 ? numberAt(bytes, 0, "*") : undefined;
  if (!count) return undefined;
  const words = [];
  let at = count.next;
  for (let index = 0; index < count.number; index++) {
    const length = at < bytes.length ? numberAt(bytes, at, "$") : undefined;
    if (!length || length.next + length.number + 2 > bytes.length) return undefined;
    words.push(bytes.toString("utf8", length.next, length.next + length.number));
    at = length.next + length.number + 2;
  }
  return { size: at, message: words.join(" ") };
}

/** Takes the commands out of what a client of Redis sends. */
function newReader() {
  const messages = new Messages();
  return { asked: (/** @type {Buffer} */ bytes) => messages.add(bytes, takeCommand) };
}

/** @param {number} port @param {string[]} wrong of these keys, the value is of a type that nobody expects */
async function fill(port, wrong) {
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  client.on("error", () => {});
  await client.connect();
  await client.flushAll();
  await client.set("user:1", "Ada");
  await client.hSet("posts:1", { notes: "Notes", engines: "Engines" });
  for (const key of wrong) {
    await client.del(`${key}1`);
    await client.lPush(`${key}1`, "wrong");
  }
  client.destroy();
}

/** @param {string} folder @param {import("../record.mjs").Recorder} recorder */
async function start(folder, recorder) {
  handOver(folder);
  const port = await freePort();
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const end = await startServer("redis-server", args, folder, () => fill(port, []));
  const proxy = await openProxy(port, recorder, newReader);
  return {
    env: { REDIS_URL: `redis://127.0.0.1:${proxy.port}` },
    fail: (/** @type {string[]} */ keys) => fill(port, keys),
    stop: async () => {
      proxy.close();
      await end();
    },
  };
}

/** @type {import("./index.mjs").Server} */
export default { needs: ["redis-server"], package: "redis-server", kind: "real server", start };
