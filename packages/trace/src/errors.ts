/** Why a recording is not made, as a sentence for the user. */
export class TraceError extends Error {}
