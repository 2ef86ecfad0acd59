//= late < section
/* eslint-disable no-undef -- what this file is for stands in edges.html */
"use strict";
run("late");
from("late1");
//= late1 < late
Promise.resolve().then(() => {
  run("late1");
});
