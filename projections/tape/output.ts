/** What queries read of the tape beside its tables. */
import type { OutputKey } from "../../engine/projection.ts"
import type { RecentTape } from "./recent-tape.ts"

export const tapeOutput: OutputKey<RecentTape> = { name: "tape" }
