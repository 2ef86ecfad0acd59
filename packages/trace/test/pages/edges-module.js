//= module < section
/* eslint-disable no-undef -- what this file is for stands in edges.html */
"use strict";
run("module");
from("module1");
//= module1 < module
await null;
run("module1");
