/** The longest statement that is kept whole. */
const LONGEST_STATEMENT = 4000;
/** A column as it stands in a list: `"a"."b" AS "c"`. What is called is none. */
const COLUMN = String.raw`(?:["\`]?\w+["\`]?\.){0,2}["\`]?\w+["\`]?(?: AS ["\`]?[\w.]+["\`]?)?(?![\w"\`.(]| \()`;
const COLUMNS = new RegExp(`(${COLUMN}(?:, ?${COLUMN}){2})(?:, ?${COLUMN})+`, "gi");

/**
 * A statement of SQL without the values that stand in it: texts and numbers become `?`, comments go, and lists are cut short. What
 * is quoted in the manner of names stays, since it names tables. One that is too long ends with `(cut)`.
 */
export function maskSql(statement: string): string {
  const masked = statement
    // Comments, then texts of PostgreSQL in dollars, then all texts in single quotation marks, then numbers.
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)|--[^\n]*/g, " ")
    .replaceAll(/\$(\w*)\$[\s\S]*?(?:\$\1\$|$)/g, "?")
    .replaceAll(
      /\b[eEnNbBxX]?'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|'(?:[^'\\]|''|\\[\s\S])*(?:'|$)/g,
      "?",
    )
    .replaceAll(/(?<![\w$"`@:])[-+]?(?:0x[\da-f]+|\d+(?:\.\d+)?(?:e[-+]?\d+)?)\b/gi, "?")
    .replaceAll(/\s+/g, " ")
    // However many there are in a list.
    .replaceAll(/\( ?(\$\d+|\?)(?: ?, ?(?:\$\d+|\?))+ ?\)/g, "($1, …)")
    .replaceAll(/(\([^()]*…\))(?: ?, ?\([^()]*…\))+/g, "$1, …")
    .replaceAll(COLUMNS, "$1, …")
    .trim();
  return masked.length > LONGEST_STATEMENT ? `${masked.slice(0, LONGEST_STATEMENT)} (cut)` : masked;
}

/** Parts of a path that look like values. */
const VALUE = /^(?:[\d\-_.:]+|[\da-f-]{8,}|.*\d{3,}.*|.{25,}|.*[@%=+$~].*)$/i;

/** A path without what looks like values in it, and without its query. */
export function maskPath(path: string): string {
  const [plain = ""] = path.split(/[?#]/, 1);
  return plain
    .split("/")
    .map((part) => (part !== "" && VALUE.test(part) ? ":value" : part))
    .join("/")
    .slice(0, 300);
}
