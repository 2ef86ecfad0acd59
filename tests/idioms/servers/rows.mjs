// What is in the tables of every database: two users and what they wrote.

export const TABLES = [
  { name: "users", columns: { id: "integer primary key", name: "varchar(40)" } },
  { name: "posts", columns: { id: "integer primary key", author_id: "integer", title: "varchar(40)" } },
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
