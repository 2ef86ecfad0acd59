import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { entryFolder } from "../lib/cache.mjs";
import { installNpm } from "../lib/install.mjs";
import { answers } from "../lib/port.mjs";

const NAME = "socketio-chat";

/** After the chat of Socket.IO's own examples: people, messages, and who is typing. */
const APP = `import { createServer } from "node:http";
import { Server } from "socket.io";

const server = createServer((request, response) => response.end("chat"));
const io = new Server(server);
let users = 0;

io.on("connection", (socket) => {
  let added = false;
  socket.on("new message", (message, done) => {
    socket.broadcast.emit("new message", { username: socket.username, message });
    done();
  });
  socket.on("add user", (username) => {
    if (added) return;
    socket.username = username;
    users += 1;
    added = true;
    socket.emit("login", { numUsers: users });
    socket.broadcast.emit("user joined", { username, numUsers: users });
  });
  socket.on("typing", () => socket.broadcast.emit("typing", { username: socket.username }));
  socket.on("stop typing", () => socket.broadcast.emit("stop typing", { username: socket.username }));
  socket.on("disconnect", () => {
    if (!added) return;
    users -= 1;
    socket.broadcast.emit("user left", { username: socket.username, numUsers: users });
  });
});

server.listen(Number(process.env.PORT), "127.0.0.1");
`;

/** So many people chat at once. */
const PEOPLE = 12;

/**
 * One person who joins, writes until the end, and leaves; says how many messages were confirmed.
 * @param {any} socket @param {number} i @param {number} end
 */
async function person(socket, i, end) {
  await new Promise((done, failed) =>
    socket.on("login", done).on("connect_error", failed).emit("add user", `person${i}`),
  );
  let messages = 0;
  while (Date.now() < end) {
    socket.emit("typing");
    await sleep(i % 4);
    await socket.timeout(5000).emitWithAck("new message", `message ${messages} of ${i}`);
    socket.emit("stop typing");
    messages++;
  }
  socket.disconnect();
  return messages;
}

export default {
  name: NAME,
  about: "Socket.IO 4.8.4 (MIT), the chat of its examples, over web sockets; node:http.",

  /** @param {string} folder */
  install: (folder) =>
    installNpm(folder, {
      dependencies: { "socket.io": "4.8.4", "socket.io-client": "4.8.4" },
      files: { "app.mjs": APP },
    }),

  /** @param {string} folder @param {number} port */
  command: (folder, port) => ({
    argv: ["node", "app.mjs"],
    cwd: folder,
    env: { PORT: String(port) },
  }),

  /** @param {number} port */
  ready: (port) => answers(`http://127.0.0.1:${port}/`),

  /** @param {number} port @param {number} seconds */
  async load(port, seconds) {
    const { io } = createRequire(join(entryFolder(NAME), "package.json"))("socket.io-client");
    const end = Date.now() + seconds * 1000;
    const people = Array.from({ length: PEOPLE }, (_, i) =>
      person(io(`http://127.0.0.1:${port}`, { forceNew: true }), i, end),
    );
    const messages = await Promise.all(people);
    return { requests: messages.reduce((sum, each) => sum + each, 0) };
  },
};
