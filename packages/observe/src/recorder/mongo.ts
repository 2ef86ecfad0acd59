/** Commands of MongoDB that name a collection first. In others a text in that place may be any value. */
const OF_COLLECTIONS = new Set([
  ...["aggregate", "collMod", "collStats", "compact", "count", "create", "createIndexes"],
  ...[
    "createSearchIndexes",
    "delete",
    "distinct",
    "drop",
    "dropIndexes",
    "dropSearchIndex",
    "find",
  ],
  ...["findAndModify", "insert", "listIndexes", "listSearchIndexes", "mapReduce", "update"],
  ...["updateSearchIndex", "validate"],
]);

/**
 * The collection that a command is about, and nothing else of it: all that is kept as its statement. (The driver hands many
 * commands over as if they were about the collection `$cmd`.)
 */
export function collectionOf(command: Readonly<Record<string, unknown>>): string {
  const [[name, value] = []] = Object.entries(command);
  return typeof value === "string" && name !== undefined && OF_COLLECTIONS.has(name) ? value : "";
}

/**
 * A command and its collection.
 *
 * @param collection as the driver has it
 * @param statement what {@link collectionOf} has found; that may be from a document, where the driver knows the collection
 */
export function describeCommand(command: string, collection = "", statement = ""): string {
  return `mongodb ${command} ${collection.startsWith("$cmd") ? statement : collection}`.trim();
}
