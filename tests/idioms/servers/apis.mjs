// Small servers that answer over HTTP as the documentation of what they stand for says.
import { openHttp } from "./http.mjs";
import { ROWS, TABLES } from "./rows.mjs";

/** @typedef {import("./http.mjs").Answer} Answer */
/** @typedef {import("./http.mjs").Question} Question */

/**
 * @param {string} variable which the program reads the address from
 * @param {(question: Question) => Answer} answer
 * @param {(question: Question) => Answer} failure
 * @param {Record<string, string>} [env] what else the program needs
 * @returns {import("./index.mjs").Server}
 */
function api(variable, answer, failure, env = {}) {
  /** @param {string} _folder @param {import("../record.mjs").Recorder} recorder */
  const start = async (_folder, recorder) => {
    let broken = /** @type {string[]} */ ([]);
    const { port, close } = await openHttp(recorder, (question) =>
      broken.some((part) => question.text.includes(part)) ? failure(question) : answer(question),
    );
    return {
      env: { [variable]: `http://127.0.0.1:${port}`, ...env },
      fail: async (/** @type {string[]} */ parts) => void (broken = parts),
      stop: async () => close(),
    };
  };
  return { needs: [], package: "", kind: "stand-in", start };
}

/** @param {string} table @returns {Record<string, unknown>[]} */
function rowsOf(table) {
  const names = Object.keys(TABLES.find(({ name }) => name === table)?.columns ?? {});
  return ROWS.filter(([name]) => name === table).map(([, row]) =>
    Object.fromEntries(names.map((name, index) => [name, row[index]])),
  );
}

/** @param {unknown} body @param {number} [status] @returns {Answer} */
const json = (body, status) => ({ body: JSON.stringify(body), status });

/** @param {Question} question @returns {Answer} a body that names what was asked for */
const echo = ({ url }) => json({ asked: url, rows: rowsOf(url.split("/")[1]) });

/** @param {Question} question @returns {Answer} */
const postgrest = ({ url, headers }) => {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const rows = rowsOf(pathname.split("/").at(-1) ?? "").filter((row) =>
    [...searchParams].every(([name, value]) => name === "select" || value === `eq.${row[name]}`),
  );
  return json(headers.accept?.includes("vnd.pgrst.object") ? rows[0] : rows);
};

/** @param {Question} question @returns {Answer} */
const graphql = ({ body }) =>
  json({
    data: body.includes("posts") ? { posts: rowsOf("posts") } : { user: rowsOf("users")[0] },
  });

/** @param {Question} question @returns {Answer} */
const s3 = ({ url }) =>
  url.includes("list-type=2")
    ? xml(
        "<ListBucketResult><Name>pages</Name><Contents><Key>1/a</Key></Contents></ListBucketResult>",
      )
    : { body: "<h1>Index</h1>", type: "text/html" };

/** A command is a list, and a pipeline a list of them; values are in base64. @param {Question} question */
const upstashAnswer = ({ url, body }) => {
  const result = (/** @type {string[]} */ [command]) => ({
    result: command === "get" ? "QWRh" : ["Tm90ZXM=", "RW5naW5lcw=="],
  });
  const asked = JSON.parse(body);
  return json(url === "/pipeline" ? asked.map(result) : result(asked));
};

/** @param {Record<string, unknown>} row as DynamoDB tells the types of values */
const typed = (row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      { [typeof value === "number" ? "N" : "S"]: `${value}` },
    ]),
  );

/** @param {Question} question @returns {Answer} */
const dynamodb = ({ body }) =>
  json(
    JSON.parse(body).Key
      ? { Item: typed(rowsOf("users")[0]) }
      : { Items: rowsOf("posts").map(typed), Count: 3, ScannedCount: 3 },
  );

/** @param {string} body @param {number} [status] @returns {Answer} */
const xml = (body, status) => ({
  body: `<?xml version="1.0"?>${body}`,
  type: "application/xml",
  status,
});

const AWS = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

/** The message says what was asked for, so that the errors of two requests differ. */
const refused = (/** @type {Question} */ { url }) => json({ message: `${url} is refused` }, 403);
const queryRefused = (/** @type {Question} */ { body }) =>
  json({ errors: [{ message: `refused: ${body}` }] });
const denied = (/** @type {Question} */ { url }) =>
  xml(`<Error><Code>AccessDenied</Code><Message>${url.split("?")[0]}</Message></Error>`, 403);
const noAccess = (/** @type {Question} */ { body }) =>
  json({ __type: "AccessDeniedException", message: `no access: ${body}` }, 400);
const wrongType = (/** @type {Question} */ { body }) => json({ error: `wrong type: ${body}` }, 400);

export const plain = api("API_URL", echo, refused);
/** Its clients do not throw for a status. */
export const closing = api("API_URL", echo, () => "hang up");
/** Its answers cannot be parsed, where they fail. */
export const garbled = api("API_URL", echo, ({ url }) => ({ body: `<${url}>`, type: "text/html" }));
export const supabase = api("SUPABASE_URL", postgrest, refused, { SUPABASE_KEY: "key" });
export const graphqlApi = api("API_URL", graphql, queryRefused);
export const s3Api = api("AWS_ENDPOINT_URL", s3, denied, AWS);
export const dynamodbApi = api("AWS_ENDPOINT_URL", dynamodb, noAccess, AWS);
export const upstash = api("UPSTASH_REDIS_REST_URL", upstashAnswer, wrongType, {
  UPSTASH_REDIS_REST_TOKEN: "token",
  UPSTASH_DISABLE_TELEMETRY: "1",
});
