// A file, which better-sqlite3 reads within the process of the program.
import { join } from "node:path";
import Database from "better-sqlite3";
import { inserts, tables } from "./rows.mjs";

/** @param {string} folder */
async function start(folder) {
  const file = join(folder, "blog.db");
  const database = new Database(file);
  for (const { name, columns } of tables()) database.exec(`CREATE TABLE ${name} (${columns})`);
  for (const insert of inserts()) database.exec(insert);
  let gone = /** @type {string[]} */ ([]);
  return {
    env: { SQLITE_FILE: file, IDIOMS_PROBE: "sqlite" },
    /** @param {string[]} parts tables that are not there any more; all others are */
    fail: async (parts) => {
      for (const name of gone) database.exec(`ALTER TABLE ${name}_gone RENAME TO ${name}`);
      for (const name of parts) database.exec(`ALTER TABLE ${name} RENAME TO ${name}_gone`);
      gone = parts;
    },
    stop: async () => void database.close(),
  };
}

/** @type {import("./index.mjs").Server} */
export default { needs: [], package: "", kind: "in the process", start };
