import { compiled, testRows } from "./ways.js";

await testRows("semantics", "compiled", compiled);
