import { testRandomTasks } from "./property.js";
import { generators } from "./ways.js";

testRandomTasks({ name: "generators", made: generators, isNative: false });
