//= relay < section
/* eslint-disable no-undef -- what this file is for stands in edges.html */
"use strict";
const edges = [["relay", "section"]];
//= q1 < section
onmessage = ({ ports: [port] }) => {
  edges.push(["q1", "section"]);
  //= q2 < any
  port.onmessage = ({ data }) => {
    edges.push(["q2", data]);
    port.postMessage({ parent: "q2", edges: edges.splice(0) });
    //= q3 < q2
    setTimeout(() => {
      edges.push(["q3", "q2"]);
      port.postMessage({ parent: "q3", edges: edges.splice(0) });
      port.postMessage({ parent: "q3", edges: [] });
    }, 1);
  };
};
