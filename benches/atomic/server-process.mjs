// A server of `app.mjs`, in the form that is given, which says how much CPU time it has used.
import { pathToFileURL } from "node:url";

const [, , app] = process.argv;
const { serve } = await import(pathToFileURL(app).href);
const server = serve();
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
