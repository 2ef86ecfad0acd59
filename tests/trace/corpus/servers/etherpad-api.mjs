import { API_KEY, ETHERPAD, etherpad, installEtherpad } from "../lib/etherpad.mjs";
import { loadHttp } from "../lib/load.mjs";
import { answers } from "../lib/port.mjs";

/** @param {string} name @param {string} [more] */
const call = (name, more = "") => `/api/1.2.13/${name}?apikey=${API_KEY}&padID=corpus${more}`;

export default {
  name: "etherpad-api",
  about: `${ETHERPAD}, pads that programs write and read over HTTP; Express.`,

  /** @param {string} folder */
  install: installEtherpad,

  /** @param {string} folder @param {number} port */
  command: etherpad,

  /** @param {number} port */
  ready: (port) => answers(`http://127.0.0.1:${port}${call("createPad", "&text=night")}`),

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) =>
    loadHttp(port, seconds, [
      { path: call("setText", "&text=It%20was%20night%20number%20{id}.") },
      { path: call("getText") },
      { path: call("getHTML") },
      { path: "/p/corpus/export/txt" },
    ]),
};
