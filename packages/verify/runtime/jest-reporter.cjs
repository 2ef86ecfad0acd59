// Reports to the records of a run that jest has come to its end.
"use strict";
const runtime = globalThis[Symbol.for("headstart.verify")];

module.exports = class Reporter {
  onRunComplete() {
    runtime.write({ k: "done" });
  }
};
