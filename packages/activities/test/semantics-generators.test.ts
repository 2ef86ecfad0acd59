import { generators, testRows } from "./ways.js";

await testRows("semantics", "generators", generators);
