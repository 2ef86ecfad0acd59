import { loadHttp } from "../lib/load.mjs";
import { installNodeRed, NODE_RED, nodeRed } from "../lib/node-red.mjs";
import { answers } from "../lib/port.mjs";

const COUNT = `const count = (flow.get("count") || 0) + 1;
flow.set("count", count);
msg.payload = { count, name: msg.req.query.name };
return msg;`;

/** A node of the sheet. @param {string} id @param {string} type @param {object} more */
const node = (id, type, more) => ({ id, type, z: "sheet", x: 0, y: 0, ...more });

/** A node whose messages go to another one. @param {string} to */
const wired = (to) => ({ wires: [[to]] });

/** Two ways through the sheet: one counts and waits a little, one writes a file. */
const FLOWS = [
  { id: "sheet", type: "tab", label: "corpus" },
  node("in1", "http in", { url: "/count", method: "get", ...wired("count") }),
  node("count", "function", { func: COUNT, outputs: 1, ...wired("delay") }),
  node("delay", "delay", {
    pauseType: "delay",
    timeout: "2",
    timeoutUnits: "milliseconds",
    ...wired("out"),
  }),
  node("in2", "http in", { url: "/note", method: "post", ...wired("file") }),
  node("file", "file", {
    filename: "notes.txt",
    filenameType: "str",
    overwriteFile: "true",
    appendNewline: true,
    ...wired("out"),
  }),
  node("out", "http response", { wires: [] }),
];

export default {
  name: "node-red-flow",
  about: `${NODE_RED}, a runner of flows, here flows that answer requests; Express.`,

  /** @param {string} folder */
  install: installNodeRed,

  /** @param {string} folder @param {number} port */
  command: (folder, port) => nodeRed(folder, port, FLOWS),

  /** @param {number} port */
  ready: (port) => answers(`http://127.0.0.1:${port}/count`),

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) =>
    loadHttp(port, seconds, [
      { path: "/count?name=a{id}" },
      { path: "/count?name=b{id}" },
      { path: "/note", method: "POST", body: { text: "note {id}" } },
    ]),
};
