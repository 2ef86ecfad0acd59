//! The modules of the platform, by name.

/// The modules of Node that go without the `node:` prefix.
const BUILTINS: [&str; 42] = [
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// What a module of Node may have behind its name: `fs/promises`.
const BUILTIN_PARTS: [&str; 7] =
    ["promises", "posix", "win32", "types", "strict", "web", "consumers"];

/// Whether a specifier names a module of Node.
pub(crate) fn is_builtin(specifier: &str) -> bool {
    specifier.starts_with("node:")
        || BUILTINS.contains(&specifier)
        || specifier
            .split_once('/')
            .is_some_and(|(head, rest)| BUILTINS.contains(&head) && BUILTIN_PARTS.contains(&rest))
}
