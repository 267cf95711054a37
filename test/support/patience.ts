/**
 * How long a test waits for what it wants to see, in milliseconds, before it calls it missing. At
 * rest it comes at once; beside other work on a slow machine it may take minutes. A bound that a
 * user was promised is another thing: `atRest` in `engine.ts`.
 */
export const PATIENCE_MS = 180_000
