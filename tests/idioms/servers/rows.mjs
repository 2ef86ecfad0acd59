// What is in the tables of every database: two users and what they wrote.

export const TABLES = [
  { name: "users", columns: { id: "integer primary key", name: "varchar(40)" } },
  {
    name: "posts",
    columns: { id: "integer primary key", author_id: "integer", title: "varchar(40)" },
  },
  { name: "tags", columns: { id: "integer primary key", name: "varchar(40)" } },
];

/** @type {[string, (number | string)[]][]} */
export const ROWS = [
  ["users", [1, "Ada"]],
  ["users", [2, "Grace"]],
  ["posts", [1, 1, "Notes"]],
  ["posts", [2, 1, "Engines"]],
  ["posts", [3, 2, "Compilers"]],
  ["tags", [1, "history"]],
];

/**
 * One statement for each table: the rows are read in this order then, without an ORDER BY.
 *
 * @param {string} prefix of the names of tables @returns {string[]}
 */
export function inserts(prefix = "") {
  return TABLES.map(({ name }) => {
    const rows = ROWS.filter(([table]) => table === name).map(
      ([, row]) => `(${row.map(literal).join(", ")})`,
    );
    return `INSERT INTO ${prefix}${name} VALUES ${rows.join(", ")}`;
  });
}

/** @param {number | string} value */
const literal = (value) => (typeof value === "number" ? value : `'${value}'`);

/**
 * @param {(type: string) => string} [typeOf] what the database calls a type
 * @returns {{ name: string, columns: string }[]} the columns as a statement has them
 */
export function tables(typeOf = (type) => type) {
  return TABLES.map(({ name, columns }) => {
    const list = Object.entries(columns).map(([column, type]) => `${column} ${typeOf(type)}`);
    return { name, columns: list.join(", ") };
  });
}
