import { testRandomTasks } from "./property.js";
import { compiled } from "./ways.js";

testRandomTasks({ name: "compiled", made: compiled, isNative: true });
