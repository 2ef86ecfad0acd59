// Takeuchi's function on the lengths of linked lists: recursion and nothing else.
class Link {
  constructor(value) {
    this.value = value;
    this.rest = null;
  }

  length() {
    if (this.rest === null) {
      return 1;
    }
    return 1 + this.rest.length();
  }
}

function build(length) {
  if (length === 0) {
    return null;
  }
  const link = new Link(length);
  link.rest = build(length - 1);
  return link;
}

function isShorter(one, other) {
  let left = one;
  let right = other;
  while (right !== null) {
    if (left === null) {
      return true;
    }
    left = left.rest;
    right = right.rest;
  }
  return false;
}

function takeuchi(x, y, z) {
  if (isShorter(y, x)) {
    return takeuchi(takeuchi(x.rest, y, z), takeuchi(y.rest, z, x), takeuchi(z.rest, x, y));
  }
  return z;
}

export function run(lengths) {
  const result = takeuchi(build(lengths.x), build(lengths.y), build(lengths.z));
  return result.length();
}
