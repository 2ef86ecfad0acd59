//= worker < section
/* eslint-disable no-undef -- what this file is for stands in edges.html */
"use strict";
let current = "-";
let edges = [];
const run = (label, parent) => {
  edges.push([label, parent]);
  current = label;
};
run("worker", "section");
const answer = (round) => {
  postMessage({ round, parent: current, edges });
  edges = [];
};
//= w2 < w1
onmessage = ({ data }) => {
  run("w2", data.parent);
  const parent = current;
  //= w4 < w2
  setTimeout(() => {
    run("w4", parent);
    current = "w2";
  }, 0);
  answer(data.round);
};
answer(0);
