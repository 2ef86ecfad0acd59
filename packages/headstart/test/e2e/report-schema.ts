import { Ajv } from "ajv";

function object(properties: Record<string, unknown>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", additionalProperties: false, properties, required };
}

function list(items: unknown) {
  return { type: "array", items };
}

function either(schema: unknown) {
  return { anyOf: [schema, { type: "null" }] };
}

const text = { type: "string", minLength: 1 };
const code = { type: "string", pattern: "^[a-z]+(-[a-z]+)*$" };
const count = { type: "integer", minimum: 0 };
const ordinal = { type: "integer", minimum: 1 };
const position = object({ line: ordinal, column: ordinal });
const range = object({ start: position, end: position });

const amount = { type: "number", minimum: 0 };

const finding = object(
  {
    id: text,
    rule: text,
    level: { enum: ["safe", "likely", "hint"] },
    file: text,
    range,
    message: text,
    overlaps: list(range),
    crosses: list(range),
    assumptions: list(text),
    assumptionCodes: list(code),
    blockers: list(object({ code, reason: text, range: either(range) })),
    replacement: either(list(object({ range, text: { type: "string" } }))),
    observed: object({
      runs: amount,
      waitedMs: amount,
      gaps: amount,
      interrupted: amount,
      interruptedByOtherTree: amount,
      medianMs: amount,
    }),
    estimatedGainMs: amount,
    applied: { type: "boolean" },
    rendered: text,
  },
  ["applied", "observed", "rendered"],
);

const common = {
  version: { const: 1 },
  skipped: list(
    object({ file: text, reason: text, line: ordinal, column: ordinal }, ["line", "column"]),
  ),
  warnings: list(object({ file: text, reason: text })),
  stats: object({
    files: count,
    lines: count,
    functions: count,
    awaits: count,
    ioAwaits: count,
    elapsedMs: { type: "number", minimum: 0 },
  }),
};

const ajv = new Ajv();

/** Validates what `check --format json` prints and `check()` returns. */
export const isCheckReport = ajv.compile(object({ ...common, findings: list(finding) }));

/** Validates what `fix()` returns. */
export const isFixReport = ajv.compile(
  object({
    ...common,
    fixed: list(object({ file: text, findings: list(text) })),
    failed: list(object({ file: text, reason: text })),
    interrupted: { type: "boolean" },
    diff: either({ type: "string" }),
  }),
);
