/** Gives back what it is given, so that a class derived from it puts its private fields there. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its constructor is all that it is for
class Given {
  constructor(promise: object) {
    return promise;
  }
}

/**
 * The number that the recorder gives a promise. It stands in a private field of the promise itself: a property would
 * be seen by the program (`console.log` prints it), and a `WeakMap` takes several times as long.
 */
export class Stamp extends Given {
  readonly #id: number;

  constructor(promise: object, id: number) {
    super(promise);
    this.#id = id;
  }

  /** The number of a promise, or 0. */
  static of(promise: object): number {
    return #id in promise ? promise.#id : 0;
  }
}
