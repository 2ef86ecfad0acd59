// Tells the process that watches a program of each query that better-sqlite3 runs in it.
import Database from "better-sqlite3";

const statement = new Database(":memory:").prepare("SELECT 1").constructor.prototype;

for (const method of ["all", "get", "iterate", "run"]) {
  const original = statement[method];
  /** @param {unknown[]} values */
  statement[method] = function (...values) {
    process.send?.({ query: this.source });
    return original.apply(this, values);
  };
}
