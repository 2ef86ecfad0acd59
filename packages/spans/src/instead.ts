type Json = Record<string, unknown>;

/** Begins of files, and what they are; as hexadecimal digits. */
const BEGINS: readonly (readonly [begin: string, what: string])[] = [
  ["fffe", "it is text in UTF-16; write it in UTF-8"],
  ["feff", "it is text in UTF-16; write it in UTF-8"],
  ["89504e47", "it is a picture"],
  ["504b0304", "it is a ZIP archive; unpack it first"],
];

/** What a file without spans is instead, as far as its first bytes tell. */
export function instead(first: Buffer): string | undefined {
  if (first.length === 0) return "it is empty";
  const begin = first.toString("hex", 0, 4);
  return BEGINS.find(([known]) => begin.startsWith(known))?.[1];
}

/** What JSON is instead that is no message of spans; nothing where that is not known. */
export function insteadOfMessage(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  if ("resourceSpans" in value) return "its messages have no spans that can be read";
  if ("resourceMetrics" in value) return "it holds metrics";
  if ("resourceLogs" in value) return "it holds logs";
  if ("localEndpoint" in value || ("traceId" in value && "timestamp" in value)) {
    return "it holds spans in the form of Zipkin; have the collector receive them";
  }
  const { data } = value;
  const [first] = Array.isArray(data) ? (data as unknown[]) : [value];
  return isObject(first) && "traceID" in first
    ? "it holds spans in the form of Jaeger; have the collector receive them"
    : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}
