/** Where the server that speaks MongoDB's protocol is looked for, and built to. */
export declare const SERVER: string;
