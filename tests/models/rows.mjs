// What the tests of the models share: reading them, and finding the rows of a type.
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";

/**
 * @typedef {{ argument?: number, type?: string }} Flow
 * @typedef {{ type?: string, elements?: string, returns?: (Flow | string)[],
 *   callbacks?: { with?: (Flow | string)[] }[], cases?: { type?: string }[] }} Call
 * @typedef {{ documentation: string, anything?: boolean, constant?: boolean, extends?: string,
 *   type?: string, call?: Call, construct?: Call, await?: Call, members?: Rows }} Row
 * @typedef {Record<string, Row>} Rows
 * @typedef {{ file: string, module: string, also?: string[], default?: Row, members: Rows,
 *   types?: Rows }} Model
 */

export const FOLDER = new URL("../../models/", import.meta.url);

/** Whether this is the Node that the rows are held against; others are only reported on. */
export const IS_REFERENCE = process.versions.node.startsWith("20.");

/**
 * The models of a folder below `models/`, in the order of their names.
 * @param {string} folder empty, or with a `/` at its end
 * @returns {Model[]}
 */
export function modelsIn(folder) {
  return readdirSync(new URL(folder, FOLDER))
    .filter((file) => file.endsWith(".yml"))
    .sort()
    .map((name) => `${folder}${name}`)
    .map((file) => ({ file, ...parse(readFileSync(new URL(file, FOLDER), "utf8")) }));
}

/**
 * Whether a row with this name is for a member of that name: `*` stands for any text.
 * @param {string} row
 * @param {string} name
 */
export function isFor(row, name) {
  const [head = "", tail] = row.split("*");
  if (tail === undefined) return row === name;
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

/** The types of models, by name. */
export class Types {
  /** @type {Map<string, Model>} */
  #models;

  /** @param {Model[]} models */
  constructor(models) {
    this.#models = new Map(models.map((model) => [model.module, model]));
  }

  /**
   * The row of a type and the module that it is in: `Stats` of `fs`, or `fs#Stats`.
   * @param {string} module the module whose model names it
   * @param {string} name
   * @returns {{ module: string, row: Row } | undefined}
   */
  find(module, name) {
    const [within = "", type = ""] = name.includes("#") ? name.split("#") : [module, name];
    const row = this.#models.get(within)?.types?.[type];
    return row && { module: within, row };
  }

  /**
   * The rows for the members of a type, and of what it extends.
   * @param {string} module
   * @param {string} name
   * @returns {Rows}
   */
  rows(module, name) {
    const type = this.find(module, name);
    if (type === undefined) return {};
    const above = type.row.extends;
    const inherited = above === undefined ? {} : this.rows(type.module, above);
    return { ...inherited, ...type.row.members };
  }

  /**
   * The types that rows of a model name although there are none.
   * @param {Model} model
   * @returns {string[]}
   */
  unknown(model) {
    const types = Object.values(model.types ?? {});
    const rows = [...Object.values(model.members), ...types, model.default ?? []].flat();
    return [...new Set(rows.flatMap(references))].filter(
      (name) => this.find(model.module, name) === undefined,
    );
  }
}

/**
 * All types that a row refers to, by name.
 * @param {Row} row
 * @returns {string[]}
 */
function references(row) {
  const calls = [row.call, row.construct, row.await].filter((it) => it !== undefined);
  const flows = calls
    .flatMap((call) => [...(call.returns ?? []), ...(call.callbacks ?? []).map((it) => it.with)])
    .flat();
  const named = [
    row.type,
    row.extends,
    ...calls.flatMap((call) => [
      call.type,
      call.elements,
      ...(call.cases ?? []).map((it) => it.type),
    ]),
    ...flows.map((it) => (typeof it === "object" ? it.type : undefined)),
  ];
  const within = Object.values(row.members ?? {}).flatMap(references);
  return [...named.filter((it) => it !== undefined), ...within];
}
