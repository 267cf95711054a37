/** The simulated Solana that an engine runs for itself: blocks by the clock, kept in its folder. */
import { join } from "node:path"
import { Effect } from "effect"
import { keepMaking, startNode } from "./node.ts"

/** Milliseconds from slot to slot. */
export const SLOT_MS = 400

/** Wallets, pools and curves that a chain begins with. */
export const MARKET = { users: 40, pooled: 4, curves: 6 } as const

/** The folder says that the log beside it is of a simulated chain, so it is not to be removed. */
const ANEW =
  "set DEVCHAIN_SOLANA=off to go on without it (leave the folder where it is), or another " +
  "DATA_DIR to begin other chains"

/**
 * Starts the chain of a data folder, or goes on with it; it makes blocks until the scope ends.
 * `failed` never succeeds, and fails once it can make no more.
 */
export const startSolanaDevchain = (dataDir: string, seed = "swaptape") =>
  Effect.gen(function* () {
    const folder = join(dataDir, "devchain", "solana")
    const node = yield* startNode({ ...MARKET, seed, port: 0, slotMs: SLOT_MS, folder, anew: ANEW })
    const failed = Effect.andThen(keepMaking(node, SLOT_MS), Effect.never)
    return { url: node.url, firstSlot: node.bank.first.slot, failed }
  })
