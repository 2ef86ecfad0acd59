import { useAsyncLocalStorage } from "headstart-activities/node";

import { compiled, testRows } from "./ways.js";

useAsyncLocalStorage();
await testRows("semantics", "async-local-storage", compiled);
