import type { ErrorObject } from "ajv";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

import { type Config, type ConfigSource, isManifest, PACKAGE_KEY, stripBom } from "./config.js";
import { readSchema } from "./config-schema.js";
import { validate } from "./config-validator.js";
import { HeadstartError } from "./errors.js";
import { didYouMean, listed } from "./suggest.js";

/**
 * Parses and validates a configuration. Errors name `shown` as the file, with line and
 * column; that is also why the text is not simply given to `JSON.parse`.
 */
export function parseConfig(source: ConfigSource, shown: string): Config {
  const text = stripBom(source.text);
  const fail = (offset: number, message: string): never => {
    throw new HeadstartError(`${shown}:${place(text, offset)}: ${message}`);
  };
  const tree = parseJson(text, fail);
  const root = isManifest(source.file) ? findNodeAtLocation(tree, [PACKAGE_KEY]) : tree;
  if (root === undefined) {
    throw new HeadstartError(`${shown} has no key "${PACKAGE_KEY}"`);
  }
  const value: unknown = getNodeValue(root);
  const error = validateConfig(value);
  if (error !== undefined)
    fail(offsetOf(root, error), describe(error, value, isManifest(source.file)));
  return { ...(value as Config) };
}

function parseJson(text: string, fail: (offset: number, message: string) => never): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const first = errors.sort((a, b) => a.offset - b.offset)[0];
  if (first !== undefined) return fail(first.offset, `not valid JSON: ${words(first)}`);
  return tree ?? fail(0, "not valid JSON: value expected");
}

/** `CommaExpected` → `comma expected`. */
function words({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
}

function place(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

function validateConfig(value: unknown): ErrorObject | undefined {
  return validate(value) ? undefined : validate.errors?.[0];
}

/** `/exclude/1` → `["exclude", 1]`. */
function pathOf(error: ErrorObject): (string | number)[] {
  return error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function unknownKey(error: ErrorObject): string | undefined {
  return error.keyword === "additionalProperties"
    ? String((error.params as { additionalProperty: unknown }).additionalProperty)
    : undefined;
}

function offsetOf(root: Node, error: ErrorObject): number {
  const key = unknownKey(error);
  const node = findNodeAtLocation(root, key === undefined ? pathOf(error) : [key]);
  // The key is what is wrong of an unknown one, and it is the first child of the property.
  return ((key === undefined ? node : node?.parent) ?? root).offset;
}

function describe(error: ErrorObject, config: unknown, inManifest: boolean): string {
  const key = unknownKey(error);
  if (key !== undefined) {
    return `unknown key "${key}"; ${didYouMean(key, Object.keys(readSchema().properties))}`;
  }
  const path = pathOf(error);
  const name = nameOf(path, inManifest);
  const given = JSON.stringify(path.reduce(member, config));
  return `${name} must be ${expected(error)}, not ${given.length > 60 ? "this" : given}`;
}

function member(value: unknown, key: string | number): unknown {
  return (value as Record<string | number, unknown>)[key];
}

function nameOf([key, index]: (string | number)[], inManifest: boolean): string {
  if (key === undefined) return inManifest ? `"${PACKAGE_KEY}"` : "the configuration";
  if (index === undefined) return `"${key}"`;
  return typeof index === "number" ? `"${key}[${index}]"` : `"${index}" in "${key}"`;
}

const TYPES: Readonly<Record<string, string>> = {
  array: "an array of strings",
  boolean: "true or false",
  object: "an object",
  string: "a string",
};

function expected(error: ErrorObject): string {
  const params = error.params as { allowedValues?: string[]; type?: string };
  if (params.allowedValues !== undefined) return listed(params.allowedValues);
  if (params.type !== undefined) return TYPES[params.type] ?? params.type;
  return "a string that is not empty";
}
