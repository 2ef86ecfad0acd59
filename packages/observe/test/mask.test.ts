import assert from "node:assert/strict";
import { test } from "node:test";

import { maskPath, maskSql, maskUrlPath } from "../src/recorder/mask.js";
import { collectionOf, describeCommand } from "../src/recorder/mongo.js";

await test("statements lose their values, and keep the names of what they are about", () => {
  for (const [statement, masked] of [
    ["SELECT a FROM t WHERE b = 'x''y' AND c = 12", "SELECT a FROM t WHERE b = ? AND c = ?"],
    [
      'select $1, "Tab le".x from "Tab le" -- SECRET\nlimit 5',
      'select $1, "Tab le".x from "Tab le" limit ?',
    ],
    [
      "INSERT INTO t VALUES (E'it\\'s SECRET', -1.5e3, 0xFF, X'AB') /* SECRET */",
      "INSERT INTO t VALUES (?, …)",
    ],
    ["SELECT $tag$ SECRET 'x' $tag$, $$SECRET$$", "SELECT ?, ?"],
    ["UPDATE t2 SET col1 = 'SECRET", "UPDATE t2 SET col1 = ?"],
    [
      'SELECT "t"."a", "t"."b" AS "x.y", `t`.c, d, e AS f, "g" FROM t WHERE a IN (lock(1), b, c, d, e)',
      'SELECT "t"."a", "t"."b" AS "x.y", `t`.c, … FROM t WHERE a IN (lock(?), b, c, d, …)',
    ],
    [
      "SELECT a FROM t WHERE note <> '--' AND take(id)",
      "SELECT a FROM t WHERE note <> ? AND take(id)",
    ],
    [
      "SELECT a FROM t WHERE note <> '/*%' AND take(id)",
      "SELECT a FROM t WHERE note <> ? AND take(id)",
    ],
    ["SELECT a LIKE b ESCAPE '\\' AND c <> 'SECRET'", "SELECT a LIKE b ESCAPE ? AND c <> ?"],
    ["SELECT a, b, c, d, e, lock(1), f", "SELECT a, b, c, …, lock(?), f"],
    ["SELECT a, b, c, d, lock (1)", "SELECT a, b, c, …, lock (?)"],
    [
      `SELECT ${"lock(a) + ".repeat(500)}1`,
      `SELECT ${"lock(a) + ".repeat(500)}`.slice(0, 4000) + " (cut)",
    ],
    [
      "INSERT INTO t (a, b) VALUES ($1, $2), ($3,$4) RETURNING a IN ($1,$2)",
      "INSERT INTO t (a, b) VALUES ($1, …), … RETURNING a IN ($1, …)",
    ],
    [
      'SELECT "a", "b", "c", CASE WHEN d THEN e ELSE f END AS "g", "h->i"."j" AS "h.i.j", k, l, "m->n"."o" FROM t',
      'SELECT "a", "b", "c", CASE WHEN d THEN e ELSE f END AS "g", "h->i"."j" AS "h.i.j", k, l, … FROM t',
    ],
    ["SELECT a /* one /* SECRET */ SECRET */ FROM t", "SELECT a FROM t"],
    ["SELECT $é$ SECRET $é$ FROM t", "SELECT ? FROM t"],
    ["SET app.user = SECRET", "SET app.user = ?"],
    ["set session role to SECRET", "set session role to ?"],
    ["SELECT `a` FROM `t` WHERE x IN (1,2,3)", "SELECT `a` FROM `t` WHERE x IN (?, …)"],
  ] as const) {
    assert.equal(maskSql(statement), masked);
  }
});

await test("paths of addresses lose all but words", () => {
  for (const [path, masked] of [
    ["/v1/items/list.json?a=b", "/v1/items/list.json"],
    ["/reset/hunter2/sk_live_abcd", "/reset/:value/:value"],
    ["/a;token=x/eyJhbGciOi.eyJzdWIi.c2ln", "/:value/:value"],
    ["/", "/"],
  ] as const) {
    assert.equal(maskUrlPath(path), masked);
  }
});

await test("paths lose what looks like a value", () => {
  for (const [path, masked] of [
    ["/users/42/orders", "/users/:value/orders"],
    ["/a/b?c=d#e", "/a/b"],
    ["/u/3fa85f64-5717-4562-b3fc-2c963f66afa6", "/u/:value"],
    ["/m/ann@example.org/inbox", "/m/:value/inbox"],
    ["/v1/items", "/v1/items"],
    ["src/app.js", "src/app.js"],
    ["/t/abcdefghijklmnopqrstuvwxyz", "/t/:value"],
  ] as const) {
    assert.equal(maskPath(path), masked);
  }
});

await test("of commands of MongoDB only the collection is kept", () => {
  assert.equal(
    collectionOf({ aggregate: "users", pipeline: [{ $match: { a: "SECRET" } }] }),
    "users",
  );
  for (const command of [{ usersInfo: "SECRET" }, { name: "SECRET" }, { aggregate: 1 }, {}])
    assert.equal(collectionOf(command), "");
  assert.equal(describeCommand("aggregate", "$cmd", "users"), "mongodb aggregate users");
  assert.equal(describeCommand("insert", "users", "SECRET"), "mongodb insert users");
  assert.equal(describeCommand("ping", "$cmd", ""), "mongodb ping");
});

await test("statements of MySQL have texts in other quotation marks, and other comments", () => {
  for (const [statement, masked] of [
    [`SELECT "it's" AND 'x' <> 'SECRET9'`, "SELECT ? AND ? <> ?"],
    ["SELECT `a` FROM t WHERE b = 'it\\'s SECRET' # SECRET", "SELECT `a` FROM t WHERE b = ?"],
    ["SELECT 1--1 FROM t -- SECRET", "SELECT ?-? FROM t"],
    ["SELECT /*!50000 take(1), */ a FROM t", "SELECT /*!*/ a FROM t"],
  ] as const) {
    assert.equal(maskSql(statement, "mysql"), masked);
  }
});
