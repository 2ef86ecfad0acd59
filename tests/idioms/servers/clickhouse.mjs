import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetch } from "undici";
import { openHttp } from "./http.mjs";
import { freePort, handOver, startServer } from "./process.mjs";
import { inserts, tables } from "./rows.mjs";

const USERS = `<yandex>
  <profiles><default/></profiles>
  <users><default><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></default></users>
  <quotas><default/></quotas>
</yandex>`;

/** @param {string} folder @param {number} port */
const configuration = (folder, port) => `<yandex>
  <logger><level>error</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <mark_cache_size>1048576</mark_cache_size>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
</yandex>`;

/** @param {number} port @param {string} query */
async function run(port, query) {
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: query });
  if (!response.ok) throw new Error(await response.text());
}

/** @param {number} port */
async function fill(port) {
  const typeOf = (/** @type {string} */ type) => (type.startsWith("integer") ? "Int32" : "String");
  for (const { name, columns } of tables(typeOf))
    await run(port, `CREATE TABLE ${name} (${columns}) ENGINE = Log`);
  for (const insert of inserts()) await run(port, insert);
}

/** @param {string} folder @param {import("../record.mjs").Recorder} recorder */
async function start(folder, recorder) {
  handOver(folder);
  const port = await freePort();
  writeFileSync(join(folder, "users.xml"), USERS);
  writeFileSync(join(folder, "config.xml"), configuration(folder, port));
  const args = [`--config-file=${join(folder, "config.xml")}`];
  const end = await startServer("clickhouse-server", args, folder, () => fill(port));
  const front = await openHttp(recorder, async ({ method, url, body }) => {
    const response = await fetch(`http://127.0.0.1:${port}${url}`, { method, body });
    const type = response.headers.get("content-type") ?? undefined;
    return { status: response.status, type, body: await response.text() };
  });
  let gone = /** @type {string[]} */ ([]);
  return {
    env: { CLICKHOUSE_URL: `http://127.0.0.1:${front.port}` },
    /** @param {string[]} parts tables that are not there any more; all others are */
    fail: async (parts) => {
      for (const name of gone) await run(port, `RENAME TABLE ${name}_gone TO ${name}`);
      for (const name of parts) await run(port, `RENAME TABLE ${name} TO ${name}_gone`);
      gone = parts;
    },
    stop: async () => {
      front.close();
      await end();
    },
  };
}

/** @type {import("./index.mjs").Server} */
export default {
  needs: ["clickhouse-server"],
  package: "clickhouse-server",
  kind: "real server",
  start,
};
