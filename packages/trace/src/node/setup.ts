// What `headstart trace record` has every process and thread of a program load before anything else (`--require`). It
// is plain enough for the oldest Node, which a program may start as well: only newer ones load the recorder.
const told = process.env["HEADSTART_TRACE"];
if (told !== undefined && parseInt(process.versions.node, 10) >= 20) {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- nothing newer is there in the oldest Node
    const recorder = require("./trace-recorder.cjs") as typeof import("./recorder.js");
    recorder.record(told);
    // A program that looks at what is loaded finds its own only.
    Reflect.deleteProperty(require.cache, __filename);
    Reflect.deleteProperty(require.cache, require.resolve("./trace-recorder.cjs"));
  } catch (error) {
    // Whatever it is (a Node that may not open files, say), the program goes on.
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`headstart: a process is not recorded: ${reason}\n`);
  }
}
