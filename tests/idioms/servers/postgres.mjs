import { join } from "node:path";
import pg from "pg";
import { Messages, openProxy } from "./proxy.mjs";
import { freePort, handOver, prepare, startServer } from "./process.mjs";
import { inserts, tables } from "./rows.mjs";

const SSL_REQUEST = 80877103;

/** Takes the queries out of what a client of PostgreSQL sends, simple and extended ones. */
export function newReader() {
  const messages = new Messages();
  const statements = new Map();
  const portals = new Map();
  let isStarted = false;
  /** @param {Buffer} bytes */
  const take = (bytes) => {
    const start = isStarted ? 1 : 0;
    if (bytes.length < start + 4) return undefined;
    const size = start + bytes.readInt32BE(start);
    if (bytes.length < size) return undefined;
    const body = bytes.subarray(start + 4, size);
    if (isStarted) return { size, message: { type: String.fromCharCode(bytes[0]), body } };
    isStarted = body.readInt32BE(0) !== SSL_REQUEST;
    return { size, message: { type: "", body } };
  };
  /** @param {{ type: string, body: Buffer }} message */
  const query = ({ type, body }) => {
    const [one, two] = body.toString("utf8").split("\0");
    if (type === "Q") return [one];
    if (type === "P") statements.set(one, two);
    if (type === "B") portals.set(one, statements.get(two));
    return type === "E" ? [portals.get(one)] : [];
  };
  return { asked: (/** @type {Buffer} */ bytes) => messages.add(bytes, take).flatMap(query) };
}

/** @param {number} port @param {(client: pg.Client) => Promise<void>} work */
async function withClient(port, work) {
  const client = new pg.Client({ host: "127.0.0.1", port, user: "idioms", database: "postgres" });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** @param {pg.Client} client */
async function fill(client) {
  for (const { name, columns } of tables()) await client.query(`CREATE TABLE ${name} (${columns})`);
  for (const insert of inserts()) await client.query(insert);
}

/** @param {string} folder @param {import("../record.mjs").Recorder} recorder */
async function start(folder, recorder) {
  handOver(folder);
  const data = join(folder, "data");
  prepare("initdb", ["-D", data, "-U", "idioms", "-A", "trust", "-N"], folder);
  const port = await freePort();
  const args = ["-D", data, "-p", `${port}`, "-h", "127.0.0.1", "-k", folder, "-F"];
  const end = await startServer("postgres", args, folder, () => withClient(port, fill));
  const proxy = await openProxy(port, recorder, newReader);
  const url = `postgres://idioms@127.0.0.1:${proxy.port}/postgres`;
  let gone = /** @type {string[]} */ ([]);
  return {
    env: {
      DATABASE_URL: url,
      PGHOST: "127.0.0.1",
      PGPORT: `${proxy.port}`,
      PGUSER: "idioms",
      PGDATABASE: "postgres",
    },
    /** @param {string[]} parts tables that are not there any more; all others are */
    fail: (parts) =>
      withClient(port, async (client) => {
        for (const name of gone) await client.query(`ALTER TABLE ${name}_gone RENAME TO ${name}`);
        for (const name of parts) await client.query(`ALTER TABLE ${name} RENAME TO ${name}_gone`);
        gone = parts;
      }),
    stop: async () => {
      proxy.close();
      await end();
    },
  };
}

/** @type {import("./index.mjs").Server} */
export default { needs: ["initdb", "postgres"], package: "postgresql", kind: "real server", start };
