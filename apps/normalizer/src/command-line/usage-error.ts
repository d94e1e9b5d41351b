/** The command was called in a way that it cannot carry out; the message says what to change. */
export class UsageError extends Error {}
