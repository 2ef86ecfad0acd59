// Files that serve as locks, what has to be closed, and inputs that reading consumes.

import { fileOf } from "./resources.mjs";

/** Where a program keeps its locks: what is made below it fails if it is there already. */
const LOCKS = "l/";

/** What the other task is told where a lock is taken. */
class Taken extends Error {
  constructor(path, world) {
    super(`EEXIST: ${fileOf(path)}`);
    this.world = world;
  }
}

/**
 * The operations that only one of several tasks succeeds with. Elsewhere than below `l/`, and without
 * what makes them exclusive, they do what `plain` does.
 */
export function claimsOf(world, plain) {
  const claim = (key, path, content) => {
    const file = fileOf(path);
    return world.operation({
      key,
      writes: [`file:${file}`],
      apply: (state) => {
        if (state.has(file)) throw new Taken(path, world);
        state.write(file, content);
      },
    });
  };
  return {
    mkdir: (path, options) =>
      fileOf(path).startsWith(LOCKS) && options?.recursive !== true
        ? claim(`mkdir ${path}`, path, "folder")
        : plain.mkdir(path, options),
    link: (from, to) => claim(`link ${from} ${to}`, to, "link"),
    symlink: (target, path) => claim(`symlink ${target} ${path}`, path, "link"),
    writeFile: (path, data, options) =>
      String(options?.flag).includes("x")
        ? claim(`writeFile ${path} ${data} exclusively`, path, data)
        : plain.writeFile(path, data),
    copyFile: (from, to, mode) =>
      mode === 1
        ? claim(`copyFile ${from} ${to} exclusively`, to, "copy")
        : plain.copyFile(from, to),
    cp: (from, to, options) =>
      options?.errorOnExist === true && options.force === false
        ? claim(`cp ${from} ${to} exclusively`, to, "copy")
        : plain.copyFile(from, to),
    rename: (from, to) => {
      const [source, target] = [fileOf(from), fileOf(to)];
      if (!source.startsWith(LOCKS)) return plain.rename(from, to);
      return world.operation({
        key: `rename ${from} ${to}`,
        writes: [`file:${source}`, `file:${target}`],
        removes: [`file:${source}`],
        apply: (state) => {
          if (state.isGone(source)) throw new Taken(from, world);
          state.write(target, state.read(source));
          state.remove(source);
        },
      });
    },
  };
}

/** Operations that give something to close. */
export function handlesOf(world, plain) {
  const opened = (name) => (path, flags) => {
    const file = fileOf(path);
    const isExclusive = typeof flags === "string" && flags.includes("x");
    const isWriting = typeof flags === "string" && /[wax+]/.test(flags);
    const handle = { place: "", isClosed: false, isHandedOn: false };
    return world.operation({
      key: `${name} ${path}${typeof flags === "string" ? ` ${flags}` : ""}`,
      [isWriting ? "writes" : "reads"]: [`file:${file}`],
      apply: (state) => {
        if (isExclusive && state.has(file)) throw new Taken(path, world);
        if (isWriting) state.write(file, "opened");
        handle.place = `${name} ${file} ${String(world.handles.length)}`;
        world.handles.push({ key: `${name} ${path}`, handle });
        return handleOf(world, file, handle);
      },
    });
  };
  return {
    open: opened("open"),
    opendir: opened("opendir"),
    mkdtemp: (prefix) => opened("mkdtemp")(prefix, "w"),
    readFile: (path) => (typeof path === "string" ? plain.readFile(path) : path.readFile()),
  };
}

function handleOf(world, file, handle) {
  return {
    close: () =>
      world.operation({
        key: `close ${file}`,
        writes: [`handle:${handle.place}`],
        apply: () => {
          handle.isClosed = true;
        },
      }),
    // Reading moves the position.
    readFile: () =>
      world.operation({
        key: `readFile of ${file}`,
        reads: [`file:${file}`],
        writes: [`handle:${handle.place}`],
        apply: (state) => state.consume(handle.place),
      }),
    handOn: () => {
      handle.isHandedOn = true;
    },
    toJSON: () => `handle of ${file}`,
  };
}

/** Whether reading a path consumes what is there, or samples what changes by itself. */
export function isInput(path) {
  return /^\/(dev|proc)\//.test(path);
}

/** Reading an input; `/proc` gives a number that grows with time. */
export function inputOf(world, name, path) {
  const isSample = path.startsWith("/proc/");
  return world.operation({
    key: `${name} ${path}`,
    reads: isSample ? ["clock"] : [],
    // What comes in can be taken once; whoever fails may still be taking it.
    writes: isSample ? [] : [`input:${path}`],
    takes: !isSample,
    apply: (state) => (isSample ? `${path} ${String(world.now())}` : state.consume(path)),
  });
}

/** Streams, which nobody waits for. */
export function streamsOf(world) {
  const write = (path, data) => {
    const file = fileOf(path);
    const writing = world.operation({
      key: `stream ${path} ${data}`,
      writes: [`file:${file}`],
      apply: (state) => state.write(file, data),
    });
    writing.catch(() => {});
  };
  return {
    createWriteStream: (path) => ({
      write: (data) => write(path, data),
      end: (data) => write(path, data),
    }),
  };
}

/** What writes files before it returns. */
export function writersOf(world) {
  const write = (name, apply) => (path, data) => {
    const file = fileOf(path);
    world.operationNow({
      key: `${name} ${path} ${data}`,
      writes: [`file:${file}`],
      apply: (state) => apply(state, file, data),
    });
  };
  return {
    writeFileSync: write("writeFileSync", (state, path, data) => state.write(path, data)),
    appendFileSync: write("appendFileSync", (state, path, data) =>
      state.write(path, `${state.read(path)}${data}`),
    ),
  };
}
