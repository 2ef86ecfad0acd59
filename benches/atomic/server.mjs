// What the gate costs a server: the CPU time of a process that answers requests, compiled and not, in turns.
// node benches/atomic/server.mjs [NODE…]
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";

const { optimize } = await import("headstart");

const here = fileURLToPath(new URL(".", import.meta.url));
const [TURNS, REQUESTS, AT_ONCE] = [9, 12_000, 32];
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const folder = `${here}.made`;
mkdirSync(folder, { recursive: true });
const source = readFileSync(`${here}app.mjs`, "utf8");
const options = { atomic: true, functions: "directives", ticks: "exact", file: "app.mjs" };
writeFileSync(`${folder}/app.mjs`, optimize(source, options).code);

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

function ask(port, id) {
  const isPost = id % 3 === 0;
  const body = isPost ? JSON.stringify({ id, name: `name ${id}` }) : "";
  const options = { port, agent, method: isPost ? "POST" : "GET", path: `/?id=${id}` };
  return new Promise((resolve, reject) => {
    const asked = request(options, (answer) => {
      answer.resume();
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`status ${answer.statusCode}`));
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

async function askAll(port, count) {
  let next = 0;
  const one = async () => {
    while (next < count) await ask(port, next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** The CPU time in microseconds of a server that answers all requests, once it is warm. */
async function measure(node, app) {
  const child = fork(`${here}server-process.mjs`, [app], { execPath: node });
  const [port] = await once(child, "message");
  await askAll(port, REQUESTS / 4);
  const cpu = async () => {
    child.send("cpu");
    return (await once(child, "message"))[0];
  };
  const before = await cpu();
  await askAll(port, REQUESTS);
  const used = (await cpu()) - before;
  child.kill();
  return used;
}

for (const node of process.argv.length > 2 ? process.argv.slice(2) : [process.execPath]) {
  console.log(execFileSync(node, ["--version"], { encoding: "utf8" }).trim());
  const ratios = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const compiled = await measure(node, `${folder}/app.mjs`);
    ratios.push(compiled / (await measure(node, `${here}app.mjs`)));
  }
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  console.log(
    `  CPU of a server, compiled: ${median(ratios).toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)})`,
  );
}
agent.destroy();
