//= shared < section
/* eslint-disable no-undef -- what this file is for stands in edges.html */
"use strict";
const edges = [["shared", "section"]];
//= connect < section
onconnect = ({ ports: [port] }) => {
  edges.push(["connect", "section"]);
  //= w5 < connect
  setTimeout(() => {
    edges.push(["w5", "connect"]);
    port.postMessage({ parent: "w5", edges });
  }, 1);
};
