// The idioms: which server each program asks, and how its two requests are told apart.

/**
 * @typedef {object} Idiom
 * @property {string} server a name of servers/index.mjs
 * @property {[string, ...unknown[]]} call the function of the program, and its arguments
 * @property {string} first a part of the text of the first request
 * @property {string} second
 * @property {{ first: string, second: string }} [breaks] what fails (tables, keys, paths), if it is not
 *   named like these parts; requests of the same only fail together
 * @property {string[]} [files] of cases/, which the program imports
 * @property {boolean} [isGenerated] it imports a client that Prisma has made of a schema
 * @property {(value: any) => unknown} [view] the part of the value that is the same in each run
 * @property {string} [stays] why it has to be left alone
 * @property {boolean} [isMerged] the package makes one request of two that it is handed at once
 * @property {boolean} [inProcess] nothing is sent, so nothing can overlap
 */

/**
 * @typedef {object} Running
 * @property {Record<string, string>} env what the program reads
 * @property {(parts: string[]) => Promise<void>} fail makes requests of these fail, and no others
 * @property {() => Promise<void>} stop
 * @property {import("./record.mjs").Recorder} recorder
 */

/** @param {string} server @param {Partial<Idiom>} [rest] @returns {Idiom} */
const idiom = (server, rest) => ({
  server,
  call: ["page", 1],
  first: "users",
  second: "posts",
  ...rest,
});

const KEYS = { first: "user:", second: "posts:" };

/** A query of posts asks for the users, too: they are joined. */
const TYPEORM = {
  files: ["typeorm-entities.ts"],
  first: 'FROM "users"',
  second: 'FROM "posts"',
  breaks: { first: "users", second: "posts" },
};

/** There is one object for each row, whichever query is answered first. */
const MIKRO_ORM = {
  files: ["mikro-orm-entities.ts"],
  view: (/** @type {any} */ { user, posts }) => [
    user,
    posts,
    posts.map((/** @type {any} */ post) => post.author === user),
  ],
};

/** The responses themselves hold times, and what is sent by whom. */
const GOT = (/** @type {any} */ { user, posts, tags }) => [user, posts, tags.body];
const KY = async (/** @type {any} */ { user, posts, tags }) => [user, posts, await tags.text()];

const ONE_CONNECTION = "a connection answers one query after the other";

/** @type {Record<string, Idiom>} */
export const idioms = {
  pg: idiom("postgres"),
  "pg-named": idiom("postgres"),
  "pg-rows": idiom("postgres"),
  "pg-guard": idiom("postgres"),
  "pg-catch-told": idiom("postgres"),
  "pg-client": idiom("postgres", { stays: ONE_CONNECTION }),
  "pg-pool-client": idiom("postgres", { stays: ONE_CONNECTION }),
  "pg-transaction": idiom("postgres", { stays: ONE_CONNECTION }),
  "return-promise-all": idiom("postgres"),
  "return-promise-all-and-first": idiom("postgres"),
  "return-object": idiom("postgres"),
  "promise-all-twice": idiom("postgres"),
  "optional-reads": idiom("postgres"),
  "optional-function": idiom("postgres"),
  "optional-functions": idiom("postgres"),
  "catch-each": idiom("postgres"),
  kysely: idiom("postgres"),
  "kysely-named": idiom("postgres"),
  "kysely-sql": idiom("postgres"),
  "kysely-count": idiom("postgres"),
  "kysely-transaction": idiom("postgres", { stays: ONE_CONNECTION }),
  knex: idiom("postgres"),
  "knex-named": idiom("postgres"),
  "knex-count": idiom("postgres"),
  "knex-transaction": idiom("postgres", { stays: ONE_CONNECTION }),
  drizzle: idiom("postgres", { files: ["drizzle-schema.ts"] }),
  "drizzle-named": idiom("postgres", { files: ["drizzle-schema.ts"] }),
  "drizzle-execute": idiom("postgres"),
  "drizzle-count": idiom("postgres", { files: ["drizzle-schema.ts"] }),
  "drizzle-relations": idiom("postgres", { files: ["drizzle-schema.ts"], second: "tags" }),
  "drizzle-transaction": idiom("postgres", {
    files: ["drizzle-schema.ts"],
    stays: ONE_CONNECTION,
  }),
  sequelize: idiom("postgres"),
  "sequelize-named": idiom("postgres"),
  "sequelize-query": idiom("postgres"),
  "sequelize-replacements": idiom("postgres"),
  "sequelize-count": idiom("postgres"),
  "sequelize-transaction": idiom("postgres", { stays: ONE_CONNECTION }),
  typeorm: idiom("postgres", TYPEORM),
  "typeorm-named": idiom("postgres", TYPEORM),
  "typeorm-query-builder": idiom("postgres", TYPEORM),
  "typeorm-transaction": idiom("postgres", { ...TYPEORM, stays: ONE_CONNECTION }),
  "mikro-orm": idiom("postgres", MIKRO_ORM),
  "mikro-orm-named": idiom("postgres", MIKRO_ORM),
  "mikro-orm-transaction": idiom("postgres", { ...MIKRO_ORM, stays: ONE_CONNECTION }),
  prisma: idiom("postgres"),
  "prisma-generated": idiom("postgres", { isGenerated: true }),
  "prisma-model-by-name": idiom("postgres", {
    call: ["paged", "post", { authorId: 1 }],
    first: "title",
    second: "COUNT",
    breaks: { first: "posts", second: "posts" },
  }),
  "prisma-find-unique-twice": idiom("postgres", {
    call: ["pair", 1, 2],
    second: "users",
    breaks: { first: "users", second: "users" },
    isMerged: true,
  }),
  "prisma-sql": idiom("postgres"),
  "prisma-sql-tag": idiom("postgres"),
  "prisma-functions": idiom("postgres"),
  "prisma-then": idiom("postgres"),
  "prisma-named": idiom("postgres"),
  "prisma-three": idiom("postgres"),
  "prisma-transaction": idiom("postgres", { stays: ONE_CONNECTION }),
  mysql2: idiom("mariadb"),
  "mysql2-query": idiom("mariadb"),
  "mysql2-connection": idiom("mariadb", { stays: ONE_CONNECTION }),
  "mysql2-pool-connection": idiom("mariadb", { stays: ONE_CONNECTION }),
  "knex-mysql2": idiom("mariadb"),
  clickhouse: idiom("clickhouse"),
  redis: idiom("redis", KEYS),
  "redis-named": idiom("redis", KEYS),
  ioredis: idiom("redis", KEYS),
  mongoose: idiom("mongodb"),
  "mongoose-named": idiom("mongodb"),
  "mongoose-exec": idiom("mongodb"),
  "mongoose-session": idiom("mongodb", { stays: "a transaction has one operation at a time" }),
  mongodb: idiom("mongodb"),
  "better-sqlite3": idiom("sqlite", { stays: "its functions are synchronous" }),
  "drizzle-better-sqlite3": idiom("sqlite", { inProcess: true }),
  "knex-better-sqlite3": idiom("sqlite", { inProcess: true }),
  "kysely-better-sqlite3": idiom("sqlite", { inProcess: true }),
  "upstash-redis": idiom("upstash", KEYS),
  s3: idiom("s3Api", {
    first: "list-type",
    second: "/index",
    view: async ({ list, index }) => [list.Contents, await index.Body.transformToString()],
  }),
  dynamodb: idiom("dynamodbApi"),
  supabase: idiom("supabase"),
  "supabase-named": idiom("supabase"),
  "supabase-error": idiom("supabase"),
  "graphql-request": idiom("graphqlApi"),
  "graphql-request-tag": idiom("graphqlApi"),
  axios: idiom("plain"),
  "axios-named": idiom("plain"),
  octokit: idiom("plain", { call: ["page", "ada"] }),
  "axios-instance": idiom("plain"),
  got: idiom("plain", { view: GOT }),
  "got-named": idiom("plain", { view: GOT }),
  ky: idiom("plain", { view: KY }),
  "ky-named": idiom("plain", { view: KY }),
  undici: idiom("closing"),
  "undici-named": idiom("closing"),
  fetch: idiom("closing"),
  "fetch-json-each": idiom("garbled"),
  "text-added": idiom("garbled"),
  "optional-fetches": idiom("garbled"),
  "fetch-then-json": idiom("garbled"),
  "fetch-then-json-named": idiom("garbled"),
};
