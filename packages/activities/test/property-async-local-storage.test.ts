import { useAsyncLocalStorage } from "headstart-activities/node";

import { testRandomTasks } from "./property.js";
import { compiled } from "./ways.js";

useAsyncLocalStorage();
testRandomTasks({
  name: "async-local-storage",
  made: compiled,
  isNative: true,
  outside: (task) => task,
});
