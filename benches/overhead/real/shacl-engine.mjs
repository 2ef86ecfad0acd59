/** The shapes that say what shapes are, validated against themselves: what the package's own benchmark does. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import factory from "@rdfjs/data-model";
import datasets from "@rdfjs/dataset";
import { Parser } from "n3";
import { Validator } from "./shacl-engine/index.js";

const folder = path.dirname(createRequire(import.meta.url).resolve("shacl-engine"));
const file = path.join(folder, "test/assets/data-shapes/core/complex/shacl-shacl-data-shapes.ttl");
const quads = new Parser({ baseIRI: "http://www.w3.org/ns/shacl-shacl" }).parse(
  readFileSync(file, "utf8"),
);
const dataset = datasets.dataset(quads);

/** How many of the validations found what they should. */
export async function run(rounds) {
  let conforming = 0;
  for (let round = 0; round < rounds; round++) {
    const validator = new Validator(dataset, { factory });
    const report = await validator.validate({ dataset });
    if (report.conforms) conforming++;
  }
  return conforming;
}
