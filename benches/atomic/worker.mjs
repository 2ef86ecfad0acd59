// One contestant in a process of its own: prints the CPU time of each round in microseconds.
import { pathToFileURL } from "node:url";

const [name, folder, rounds] = process.argv.slice(2);
const AWAITS = 200_000;

const native = await import("./programs.mjs");
const compiled = () => import(pathToFileURL(`${folder}/programs.mjs`).href);

/** One round of each contestant. */
const contestants = {
  native: async () => () => native.awaits(AWAITS),
  compiled: async () => {
    const { awaits } = await compiled();
    return () => awaits(AWAITS);
  },
  "compiled, in a block": async () => {
    const { atomic } = await import("headstart-activities");
    const { awaits } = await compiled();
    return () => atomic(() => awaits(AWAITS));
  },
  generators: async () => {
    const { act, wait } = await import("headstart-activities");
    return () =>
      act(function* () {
        let sum = 0;
        for (let left = AWAITS; left > 0; left -= 1) sum += yield* wait(left);
        return sum;
      });
  },
  "p-limit(1)": async () => {
    const { default: pLimit } = await import("p-limit");
    const limit = pLimit(1);
    return async () => {
      for (let left = AWAITS; left > 0; left -= 1) await limit(() => left);
    };
  },
  "async-mutex": async () => {
    const { Mutex } = await import("async-mutex");
    const mutex = new Mutex();
    return async () => {
      for (let left = AWAITS; left > 0; left -= 1) await mutex.runExclusive(() => left);
    };
  },
  effection: async () => {
    const { call, run } = await import("effection");
    return () =>
      run(function* () {
        let sum = 0;
        for (let left = AWAITS; left > 0; left -= 1)
          sum += yield* call(() => Promise.resolve(left));
        return sum;
      });
  },
  Effect: async () => {
    const { Effect } = await import("effect");
    const program = Effect.gen(function* () {
      let sum = 0;
      for (let left = AWAITS; left > 0; left -= 1)
        sum += yield* Effect.promise(() => Promise.resolve(left));
      return sum;
    });
    return () => Effect.runPromise(program);
  },
  "block, as it is": async () => () => native.block(AWAITS / 4),
  "block, not fused": async () => {
    const { block } = await compiled();
    return () => block(AWAITS / 4);
  },
  "block, fused": async () => {
    const { block } = await import(pathToFileURL(`${folder}/fused.mjs`).href);
    return () => block(AWAITS / 4);
  },
  "fib native": async () => () => native.fib(20),
  "fib compiled": async () => {
    const { fib } = await compiled();
    return () => fib(20);
  },
};

const round = await contestants[name]();
const times = [];
for (let left = Number(rounds) + 3; left > 0; left -= 1) {
  const before = process.cpuUsage();
  await round();
  const { user, system } = process.cpuUsage(before);
  if (left <= Number(rounds)) times.push(user + system);
}
process.stdout.write(JSON.stringify(times));
