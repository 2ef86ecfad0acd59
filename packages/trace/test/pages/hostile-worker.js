/* global postMessage, queueMicrotask */
queueMicrotask(() => postMessage("worker says hi"));
