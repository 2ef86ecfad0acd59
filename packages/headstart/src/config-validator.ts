import { Ajv } from "ajv";

import { readSchema } from "./config-schema.js";

/**
 * Validates a configuration. The build puts the function that Ajv generates from the schema
 * in the place of this module, because generating it takes longer than many a whole run.
 */
export const validate = new Ajv().compile(readSchema());
