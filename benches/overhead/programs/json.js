// A recursive descent parser for JSON, one character at a time, with objects of its own for values.
const KIND_OBJECT = 0;
const KIND_ARRAY = 1;
const KIND_STRING = 2;
const KIND_NUMBER = 3;
const KIND_LITERAL = 4;

class Summary {
  constructor() {
    this.kinds = [0, 0, 0, 0, 0];
    this.names = 0;
    this.letters = 0;
    this.sum = 0;
  }
}

class JsonLiteral {
  constructor(value) {
    this.value = value;
  }

  summarise(summary) {
    summary.kinds[KIND_LITERAL] += 1;
  }
}

class JsonNumber {
  constructor(text) {
    this.text = text;
  }

  summarise(summary) {
    summary.kinds[KIND_NUMBER] += 1;
    summary.sum += parseFloat(this.text);
  }
}

class JsonString {
  constructor(text) {
    this.text = text;
  }

  summarise(summary) {
    summary.kinds[KIND_STRING] += 1;
    summary.letters += this.text.length;
  }
}

class JsonArray {
  constructor() {
    this.values = [];
  }

  append(value) {
    this.values.push(value);
  }

  summarise(summary) {
    summary.kinds[KIND_ARRAY] += 1;
    for (let i = 0; i < this.values.length; i += 1) {
      this.values[i].summarise(summary);
    }
  }
}

class JsonObject {
  constructor() {
    this.names = [];
    this.values = [];
  }

  define(name, value) {
    this.names.push(name);
    this.values.push(value);
  }

  summarise(summary) {
    summary.kinds[KIND_OBJECT] += 1;
    for (let i = 0; i < this.values.length; i += 1) {
      summary.names += this.names[i].length;
      this.values[i].summarise(summary);
    }
  }
}

class ParseError extends Error {}

class Parser {
  constructor(text) {
    this.text = text;
    this.index = -1;
    this.current = "";
    this.captureStart = -1;
    this.captured = "";
  }

  parse() {
    this.read();
    this.skipSpace();
    const value = this.readValue();
    this.skipSpace();
    if (this.current !== "") {
      this.fail("the end");
    }
    return value;
  }

  read() {
    this.index += 1;
    this.current = this.index < this.text.length ? this.text.charAt(this.index) : "";
  }

  fail(expected) {
    throw new ParseError("expected " + expected + " at offset " + this.index);
  }

  isSpace() {
    const it = this.current;
    return it === " " || it === "\n" || it === "\t" || it === "\r";
  }

  isDigit() {
    return this.current >= "0" && this.current <= "9";
  }

  skipSpace() {
    while (this.isSpace()) {
      this.read();
    }
  }

  /** Reads on if this is the current character. */
  accept(character) {
    if (this.current !== character) {
      return false;
    }
    this.read();
    return true;
  }

  expect(character) {
    if (!this.accept(character)) {
      this.fail(character);
    }
  }

  readValue() {
    switch (this.current) {
      case "{":
        return this.readObject();
      case "[":
        return this.readArray();
      case '"':
        return new JsonString(this.readText());
      case "t":
        return this.readWord("true", true);
      case "f":
        return this.readWord("false", false);
      case "n":
        return this.readWord("null", null);
      default:
        return this.readNumber();
    }
  }

  readObject() {
    const object = new JsonObject();
    this.expect("{");
    this.skipSpace();
    if (this.accept("}")) {
      return object;
    }
    do {
      this.skipSpace();
      const name = this.readText();
      this.skipSpace();
      this.expect(":");
      this.skipSpace();
      object.define(name, this.readValue());
      this.skipSpace();
    } while (this.accept(","));
    this.expect("}");
    return object;
  }

  readArray() {
    const array = new JsonArray();
    this.expect("[");
    this.skipSpace();
    if (this.accept("]")) {
      return array;
    }
    do {
      this.skipSpace();
      array.append(this.readValue());
      this.skipSpace();
    } while (this.accept(","));
    this.expect("]");
    return array;
  }

  readWord(word, value) {
    for (let i = 0; i < word.length; i += 1) {
      this.expect(word[i]);
    }
    return new JsonLiteral(value);
  }

  startCapture() {
    this.captureStart = this.index;
  }

  pauseCapture() {
    this.captured += this.text.slice(this.captureStart, this.index);
    this.captureStart = -1;
  }

  endCapture() {
    if (this.captureStart >= 0) {
      this.pauseCapture();
    }
    const text = this.captured;
    this.captured = "";
    return text;
  }

  readText() {
    this.expect('"');
    this.startCapture();
    while (this.current !== '"') {
      if (this.current === "") {
        this.fail("a quotation mark");
      }
      if (this.current === "\\") {
        this.pauseCapture();
        this.readEscape();
        this.startCapture();
      } else {
        this.read();
      }
    }
    const text = this.endCapture();
    this.read();
    return text;
  }

  readEscape() {
    this.read();
    switch (this.current) {
      case '"':
      case "/":
      case "\\":
        this.captured += this.current;
        break;
      case "b":
        this.captured += "\b";
        break;
      case "f":
        this.captured += "\f";
        break;
      case "n":
        this.captured += "\n";
        break;
      case "r":
        this.captured += "\r";
        break;
      case "t":
        this.captured += "\t";
        break;
      case "u":
        this.captured += this.readCode();
        break;
      default:
        this.fail("an escape");
    }
    this.read();
  }

  readCode() {
    let code = 0;
    for (let i = 0; i < 4; i += 1) {
      this.read();
      code = code * 16 + parseInt(this.current, 16);
    }
    return String.fromCharCode(code);
  }

  readNumber() {
    this.startCapture();
    this.accept("-");
    const first = this.current;
    if (!this.readDigit()) {
      this.fail("a value");
    }
    if (first !== "0") {
      this.skipDigits();
    }
    this.readFraction();
    this.readExponent();
    return new JsonNumber(this.endCapture());
  }

  readDigit() {
    if (!this.isDigit()) {
      return false;
    }
    this.read();
    return true;
  }

  skipDigits() {
    while (this.readDigit()) {
      // readDigit has read it
    }
  }

  readFraction() {
    if (!this.accept(".")) {
      return false;
    }
    if (!this.readDigit()) {
      this.fail("a digit");
    }
    this.skipDigits();
    return true;
  }

  readExponent() {
    if (!this.accept("e") && !this.accept("E")) {
      return false;
    }
    if (!this.accept("+")) {
      this.accept("-");
    }
    if (!this.readDigit()) {
      this.fail("a digit");
    }
    this.skipDigits();
    return true;
  }
}

export function run(text) {
  const parser = new Parser(text);
  const value = parser.parse();
  const summary = new Summary();
  value.summarise(summary);
  return summary;
}
