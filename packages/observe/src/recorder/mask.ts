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
    /(?<comment>--[^\n]*|\/\*(?:\/\*(?:\/\*[\s\S]*?(?:\*\/|$)|[\s\S])*?(?:\*\/|$)|[\s\S])*?(?:\*\/|$))|(?<name>"[^"]*(?:"|$)|`[^`]*(?:`|$))|\$([\w\u0080-\uffff]*)\$[\s\S]*?(?:\$\3\$|$)|\b[eE]'(?:[^'\\]|''|\\[\s\S])*(?:'|$)|(?:\b[nNbBxXuU]&?)?'(?:[^']|'')*(?:'|$)/g,
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
    // `SET name = word`
    .replace(/^( ?set (?:session |local |global )?[\w."`@]+ ?(?:=|to) ?).*$/is, "$1?")
    // However many there are in a list.
    .replaceAll(/\( ?(\$\d+|\?)(?: ?, ?(?:\$\d+|\?))+ ?\)/g, "($1, …)")
    .replaceAll(/(\([^()]*…\))(?: ?, ?\([^()]*…\))+/g, "$1, …")
    .replaceAll(COLUMNS, "$1, …")
    .trim();
  return masked.length > LONGEST_STATEMENT ? `${masked.slice(0, LONGEST_STATEMENT)} (cut)` : masked;
}

/** Parts of the path of an address that are words, versions or names of files, and no values. */
const WORD = /^(?=.{1,24}(?:\.|$))(?:v\d{1,2}|[a-z]+(?:-?[A-Z]?[a-z]+)*(?:\.[a-z]{1,5})?)$/;

/** The path of an address without what is none of its words, and without its query. */
export function maskUrlPath(path: string): string {
  return maskParts(path, (part) => !WORD.test(part));
}

/** Parts of a path that look like values. */
const VALUE = /^(?:[\d\-_.:]+|[\da-f-]{8,}|.*\d{3,}.*|.{25,}|.*[@%=+$~].*)$/i;

/** The path of a file without what looks like values in it. */
export function maskPath(path: string): string {
  return maskParts(path, (part) => VALUE.test(part));
}

function maskParts(path: string, isValue: (part: string) => boolean): string {
  const [plain = ""] = path.split(/[?#]/, 1);
  return plain
    .split("/")
    .map((part) => (part !== "" && isValue(part) ? ":value" : part))
    .join("/")
    .slice(0, 300);
}
