// What the parts that stand in jest share.
"use strict";

const KEY = Symbol.for("headstart.verify");

module.exports = {
  KEY,
  runtime: globalThis[KEY],
  /** What names a test among all: its file, the names of its groups and its own. */
  idOf: (file, path) => `${file} > ${path.join(" > ")}`,
};
