// Objects with methods, whose types follow from where they stand: from the parameter that they are passed for, from
// what they stand beside, from the type that says what `this` is in them.
async function half(x: number) {
  return x / 2;
}

export const settings = Object.freeze({
  mode: "slow",
  async read() {
    return await half(3);
  },
});

export const mode: "slow" = settings.mode;

function route<M extends "GET" | "POST">(it: { method: M; handle(x: number): Promise<number> }) {
  return it;
}

export const home = route({
  method: "GET",
  async handle(x) {
    return (await half(x)) + 1;
  },
});

function tool<N extends string, P extends Record<string, string>, R>(it: {
  name: N;
  params: P;
  run(values: { [K in keyof P]: string }): Promise<R>;
}) {
  return it;
}

export const join = tool({
  name: "join",
  params: { left: "l" },
  async run(values) {
    return values.left + String(await half(1));
  },
});

function store<S extends object, A>(it: { state: S; actions: A & ThisType<S & A> }): S & A {
  return Object.assign(it.state, it.actions);
}

export const counter = store({
  state: { n: 1 },
  actions: {
    async add(x: number) {
      this.n += await half(x);
      return this.n;
    },
    twice: async function (x: number) {
      this.n += 2 * (await half(x));
      return this.n;
    },
  },
});

export const either = (x: number) =>
  x > 1
    ? {
        ok: true,
        async value() {
          return await half(x);
        },
      }
    : {
        ok: false,
        async error() {
          return await half(7);
        },
      };

export const plain = {
  kind: "plain",
  async get() {
    return await half(4);
  },
};

export const list = [
  {
    async a() {
      return await half(1);
    },
  },
  {
    async b() {
      return await half(2);
    },
  },
];

// `(q ?` begins a function type, too.
async function picked(q: number, p: number) {
  if (p < 0) return -1;
  let sum = await half(p);
  sum += await (q ? async function (x: number) {
    return x + (await half(x));
  } : async function (x: number) {
    return x;
  })(q);
  for (const it of [1, 2]) sum += await half(it);
  return sum;
}

export async function run(): Promise<unknown[]> {
  await null;
  const of = either(3);
  return [
    await half(8),
    await picked(0, 2),
    await picked(1, 3),
    await settings.read(),
    await home.handle(4),
    await join.run({ left: "x" }),
    await counter.add(2),
    await counter.twice(2),
    await of.value?.(),
    await either(0).error?.(),
    await plain.get(),
    await list[0]?.a?.(),
    await list[1]?.b?.(),
  ];
}
