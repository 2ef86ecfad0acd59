import { installNpm } from "../lib/install.mjs";
import { loadHttp } from "../lib/load.mjs";
import { answers } from "../lib/port.mjs";

/** After the examples of its documentation: a schema, resolvers that wait, and a mutation. */
const APP = `import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createSchema, createYoga } from "graphql-yoga";

const posts = Array.from({ length: 50 }, (_, i) => ({ id: String(i), author: String(i % 5) }));

const schema = createSchema({
  typeDefs: /* GraphQL */ \`
    type Author { id: ID! name: String! posts: [Post!]! }
    type Post { id: ID! title: String author: Author! text: String! }
    type Query { posts(first: Int): [Post!]! post(id: ID!): Post }
    type Mutation { rename(id: ID!, title: String!): Post }
  \`,
  resolvers: {
    Query: {
      posts: (_, { first }) => posts.slice(0, first ?? 10),
      post: async (_, { id }) => posts.find((post) => post.id === id),
    },
    Mutation: {
      rename: async (_, { id, title }) => {
        await sleep(1);
        return Object.assign(posts.find((post) => post.id === id), { title });
      },
    },
    Post: {
      author: async ({ author }) => {
        await sleep(1);
        return { id: author, name: "author " + author };
      },
      text: async () => (await readFile("package.json", "utf8")).slice(0, 20),
    },
    Author: { posts: ({ id }) => posts.filter((post) => post.author === id) },
  },
});

createServer(createYoga({ schema, logging: false })).listen(Number(process.env.PORT), "127.0.0.1");
`;

/** @param {string} query */
const ask = (query) => ({ path: "/graphql", method: "POST", body: { query } });

export default {
  name: "graphql-yoga",
  about: "GraphQL Yoga 5.24.1 (MIT), the server of its documentation's examples; node:http.",

  /** @param {string} folder */
  install: (folder) =>
    installNpm(folder, {
      dependencies: { graphql: "16.15.0", "graphql-yoga": "5.24.1" },
      files: { "app.mjs": APP },
    }),

  /** @param {string} folder @param {number} port */
  command: (folder, port) => ({
    argv: ["node", "app.mjs"],
    cwd: folder,
    env: { PORT: String(port), NODE_ENV: "production" },
  }),

  /** @param {number} port */
  ready: (port) => answers(`http://127.0.0.1:${port}/graphql?query=%7Bposts%7Bid%7D%7D`),

  /** @param {number} port @param {number} seconds */
  load: (port, seconds) =>
    loadHttp(port, seconds, [
      ask("{ posts(first: 10) { id title author { name } } }"),
      ask(`{ post(id: "7") { text author { posts { id author { name } } } } }`),
      ask(`mutation { rename(id: "3", title: "night {id}") { id title } }`),
    ]),
};
