//! Code of the program that runs inside the operations of a shared client: interceptors, defaults,
//! listeners of pools, dispatchers.

use super::{Generator, Program, code, function, give, read};
use crate::tree::{Item, Stmt};

/// What a request goes through before it is sent; `config` is the request.
const BEFORE: &[&str] = &[
    "async (config) => {\n  await writeFile(\"a\", config.url);\n  return config;\n}",
    "(config) => {\n  token += 1;\n  return { ...config, url: `${config.url}/${token}` };\n}",
    "(config) => ({ ...config, url: `${config.url}/${token}` })",
    "async (config) => {\n  const seen = await readFile(\"a\", \"utf8\");\n  await writeFile(\"a\", `${seen}+`);\n  return { ...config, url: `${config.url}/${seen}` };\n}",
    "(config) => ({ ...config, method: \"PUT\" })",
];

/// What an answer goes through.
const AFTER: &[&str] = &[
    "(response) => {\n  token = response.data;\n  return response;\n}",
    "async (response) => {\n  await writeFile(\"a\", response.data);\n  return response;\n}",
];

/// How code gets into the requests of axios; BEFORE and AFTER stand for functions.
const AXIOS: &[&str] = &[
    "axios.interceptors.request.use(BEFORE);\naxios.interceptors.response.use(AFTER)",
    "const { interceptors } = axios;\ninterceptors.request.use(BEFORE);\ninterceptors.response.use(AFTER)",
    "axios.interceptors.response.use(AFTER);\nconst requests1 = axios.interceptors[\"request\"];\nrequests1.use(BEFORE)",
    "axios.defaults.adapter = async (config) => {\n  await writeFile(\"a\", config.url);\n  return { data: config.url, status: 200 };\n}",
    "Object.assign(axios.defaults, {\n  adapter: async (config) => {\n    token += 1;\n    return { data: `${config.url} ${token}`, status: 200 };\n  },\n})",
    "const { defaults } = axios;\ndefaults.adapter = async (config) => {\n  token += 1;\n  return { data: `${config.url} ${token}`, status: 200 };\n}",
    "axios.defaults[\"adapter\"] = async (config) => {\n  await writeFile(\"a\", config.url);\n  return { data: config.url, status: 200 };\n}",
    "((client) => client.interceptors.request.use(BEFORE))(axios)",
];

/// The same for a client of its own.
const INSTANCE: &[&str] = &[
    "const api = axios.create();\napi.interceptors.request.use(BEFORE);\napi.interceptors.response.use(AFTER)",
    "const api = axios.create({\n  adapter: async (config) => {\n    await writeFile(\"a\", config.url);\n    return { data: config.url, status: 200 };\n  },\n})",
    "const options1 = {\n  adapter: async (config) => {\n    token += 1;\n    return { data: `${config.url} ${token}`, status: 200 };\n  },\n};\nconst api = axios.create(options1)",
    "const api = axios.create({});\napi.defaults.adapter = async (config) => {\n  token += 1;\n  return { data: `${config.url} ${token}`, status: 200 };\n}",
];

/// What a pool tells whoever listens, at each query.
const POOL: &[&str] = &[
    "pool.on(\"acquire\", () => {\n  token += 1;\n  void writeFile(\"a\", String(token));\n})",
    "pool.once(\"connect\", (client) => {\n  client.query(\"INSERT INTO items VALUES ($1)\", [\"c\"]);\n})",
    "pool.addListener(\"acquire\", (client) => {\n  client.query(\"INSERT INTO items VALUES ($1)\", [\"c\"]);\n})",
    "pool.on(\"release\", () => {\n  token += 1;\n})",
];

/// What answers every `fetch`.
const DISPATCHER: &[&str] = &[
    "setGlobalDispatcher({\n  dispatch(options, send) {\n    token += 1;\n    return send({ ...options, path: `${options.path}/${token}` });\n  },\n})",
    "const install1 = setGlobalDispatcher;\ninstall1({\n  async dispatch(options, send) {\n    await writeFile(\"a\", options.path);\n    return await send(options);\n  },\n})",
    "const dispatcher1 = {\n  dispatch: (options, send) => send({ ...options, method: \"PUT\" }),\n};\nsetGlobalDispatcher(dispatcher1)",
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let (before, after) = (generator.pick(BEFORE), generator.pick(AFTER));
    let (way, first, second) = match generator.below(5) {
        0 => (generator.pick(POOL), "pool.query", "pool.query"),
        1 => (generator.pick(DISPATCHER), "fetch", "fetch"),
        2 => (generator.pick(INSTANCE), "api.get", "api.get"),
        _ => (generator.pick(AXIOS), "axios.get", "axios.get"),
    };
    let way = way.replace("BEFORE", before).replace("AFTER", after);
    let mut items: Vec<Item> = vec![code("let token = 0;")];
    if first == "pool.query" {
        items.push(code("const pool = new Pool();"));
    }
    if first == "api.get" && generator.chance(30) {
        // Where the client is made, nothing is seen of what is done to it.
        items.push(code(format!("{way};\nconst clients = {{ api }};")));
    } else {
        items.push(code(format!("{way};")));
    }
    let mut body = vec![statement(generator, "v1", first), statement(generator, "v2", second)];
    if generator.chance(30) {
        body.insert(generator.below(3), read("v3", "readFile", &["\"a\"", "\"utf8\""]));
    }
    body.push(give("[v1, v2, token]"));
    items.push(function("export async function main()", body));
    Program { items }
}

fn statement(generator: &mut Generator, name: &str, callee: &str) -> Stmt {
    if callee == "pool.query" {
        let table = generator.pick(&["users", "items"]);
        return read(name, callee, &[&format!("\"SELECT * FROM {table}\"")]);
    }
    let host = generator.pick(&["one.example", "two.example"]);
    let url = format!("\"https://{host}/{}\"", generator.letter());
    read(name, callee, &[&url])
}
