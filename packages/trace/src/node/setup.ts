// What `headstart trace record` has every process and thread of a program load before anything else (`--require`).
import { recordThread, type ThreadOptions } from "./record-thread.js";

const options = process.env["HEADSTART_TRACE"];
if (options !== undefined) recordThread(JSON.parse(options) as ThreadOptions, __filename);
