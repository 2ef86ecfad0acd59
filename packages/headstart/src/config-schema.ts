import { readFileSync } from "node:fs";

import { packageFile } from "./package.js";

/** The part of the schema that messages are made from. */
export interface Schema {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

/** The schema of the configuration, the single truth about its keys and values. */
export function readSchema(): Schema {
  return JSON.parse(readFileSync(packageFile("headstart.config.schema.json"), "utf8")) as Schema;
}
