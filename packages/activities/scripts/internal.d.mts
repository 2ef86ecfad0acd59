/** Fields that nobody outside may use, and what they are called in dist/. */
export declare const internal: Readonly<Record<string, string>>;
