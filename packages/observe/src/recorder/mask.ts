/** The longest statement that is kept whole. */
const LONGEST_STATEMENT = 4000;
/** A name, in quotes or without. */
const NAME = /(?:"[^"]*"|`[^`]*`|\w+)/.source;
/** A column that is all of an item of a list: `"a"."b" AS "c"`. What is called, or computed, is none. */
const COLUMN = String.raw`(?:${NAME}\.){0,2}${NAME}(?: AS ${NAME})?(?= ?(?:[,)]|$|FROM\b))`;
const COLUMNS = new RegExp(
  String.raw`(?<=(?:[(,]|\b(?:SELECT|DISTINCT|BY)) ?)(${COLUMN}(?:, ?${COLUMN}){2})(?:, ?${COLUMN})+`,
  "gi",
);

/**
 * Texts and comments, whichever comes first: in what dialects share, where `\` is a character as others (PostgreSQL), and in
 * MySQL's.
 */
const TEXTS = {
  standard:
    /(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<name>"[^"]*(?:"|$)|`[^`]*(?:`|$))|\$(\w*)\$[\s\S]*?(?:\$\3\$|$)|\b[eE]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|(?:\b[nNbBxXuU]&?)?'(?:[^']|'')*(?:'|$)/g,
  mysql:
    /(?<comment>--(?=\s|$)[^\n]*|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<name>`[^`]*(?:`|$))|(?:\b[nNbBxX])?'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|"(?:[^"\\]|""|\\[\s\S])*(?:"|$)/g,
};

/**
 * A statement of SQL without the values that stand in it: texts and numbers become `?`, comments go, and lists are cut short. What
 * is quoted in the manner of names stays, since it names tables. One that is too long ends with `(cut)`.
 */
export function maskSql(statement: string, system = "postgresql"): string {
  const texts = /mysql|mariadb/.test(system) ? TEXTS.mysql : TEXTS.standard;
  const masked = statement
    .replaceAll(texts, (found, ...rest) => {
      const { comment, name } = rest.at(-1) as { comment?: string; name?: string };
      // Such a comment is code for MySQL.
      if (comment !== undefined) return /^\/\*[!+]/.test(comment) ? " /*!*/ " : " ";
      return name === undefined ? "?" : found;
    })
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
