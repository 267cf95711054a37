/** How a thread shares the machine with others. */
import { setPriority } from "node:os"
import { Effect } from "effect"

/** As `nice -n 10`: gets about a tenth of what others get, and all that they leave. */
const BACKGROUND = 10

/**
 * Lets other threads go first from now on. Linux alone gives threads priorities of their own;
 * elsewhere, and where it is not permitted, nothing changes.
 */
export const runInBackground: Effect.Effect<void> = Effect.sync(() => {
  if (process.platform === "linux") setPriority(0, BACKGROUND)
})
