/** What the browser is told of a key. */
export interface Key {
  readonly key: string;
  readonly code: string;
  /** The number that old programs know it by. */
  readonly number: number;
  /** What it writes, if it does. */
  readonly text?: string;
}

const NAMED: Readonly<Record<string, readonly [number, string?]>> = {
  Backspace: [8],
  Tab: [9],
  Enter: [13, "\r"],
  Shift: [16],
  Control: [17],
  Alt: [18],
  Escape: [27],
  PageUp: [33],
  PageDown: [34],
  End: [35],
  Home: [36],
  ArrowLeft: [37],
  ArrowUp: [38],
  ArrowRight: [39],
  ArrowDown: [40],
  Delete: [46],
  Meta: [91],
};

/** The bits of modifiers. */
const MODIFIERS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** The key of a name such as `Enter`, or of one character. `undefined` if there is none. */
export function keyOfName(name: string): Key | undefined {
  const named = NAMED[name];
  if (named !== undefined) {
    const [number, text] = named;
    const code = name in MODIFIERS ? `${name}Left` : name;
    return { key: name, code, number, ...(text === undefined ? {} : { text }) };
  }
  if (name.length !== 1) return undefined;
  const upper = name.toUpperCase();
  const number = /[A-Z0-9 ]/.test(upper) ? upper.charCodeAt(0) : 0;
  const code = /[A-Z]/.test(upper) ? `Key${upper}` : /[0-9]/.test(upper) ? `Digit${upper}` : "";
  return { key: name, code: name === " " ? "Space" : code, number, text: name };
}

/**
 * Takes a name with modifiers apart, such as `Control+A`.
 *
 * @throws Error if there is no such key
 */
export function parseKeys(name: string): { key: Key; modifiers: number } {
  // The key may be a plus itself.
  const parts = name.endsWith("+") ? [...name.slice(0, -2).split("+"), "+"] : name.split("+");
  const key = keyOfName(parts.pop() ?? "");
  let modifiers = 0;
  for (const part of parts.filter((it) => it !== "")) {
    const bit = MODIFIERS[part];
    if (bit === undefined) throw new Error(`there is no modifier ${part}, as in ${name}`);
    modifiers |= bit;
  }
  if (key === undefined) throw new Error(`there is no key ${name}`);
  return { key, modifiers };
}
