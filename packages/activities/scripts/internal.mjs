/** Fields that nobody outside may use, and what they are called in dist/. */
const NAMES = [
  ...["arriving", "blocks", "contained", "delayed", "depth", "fail", "first", "frames", "free"],
  ...[
    "freeWaiting",
    "holder",
    "isGone",
    "joined",
    "joins",
    "opens",
    "pending",
    "result",
    "stage",
    "stays",
  ],
  ...["tasks", "tell", "waiters", "waiting", "within"],
];

export const internal = Object.fromEntries(NAMES.map((name, at) => [name, `_${at.toString(36)}`]));
