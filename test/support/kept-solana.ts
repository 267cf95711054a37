/** A simulated Solana that keeps its chain in a folder, run by a clock that tests set. */
import { cpSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Block } from "../../streams/sources/solana-devchain/bank.ts"
import { type SolanaNode, startNode } from "../../streams/sources/solana-devchain/node.ts"
import { temporaryFolder } from "./nats.ts"

export const SLOT_MS = 400
export const PLAN = { seed: "kept", users: 8, pooled: 2, curves: 2, slotMs: SLOT_MS }
export const START_MS = 1_790_000_000_000

const temporary = temporaryFolder()
export const removeFolders = temporary.remove
export const folderOf = (name: string) => join(temporary.path, name)

export const blocksOf = ({ bank }: SolanaNode): ReadonlyArray<Block> =>
  bank.slots(0, Number.MAX_SAFE_INTEGER).flatMap(slot => bank.at(slot) ?? [])

/** What a node tells at its end: its blocks, and every account that its blocks name. */
export const told = (node: SolanaNode) => {
  const blocks = blocksOf(node)
  const keys = blocks.flatMap(({ transactions }) =>
    transactions.flatMap(({ transaction }) => transaction.message.accountKeys)
  )
  const accounts = [...new Set(keys)].map(key => node.bank.account(key as never))
  return { blocks, accounts, finalized: node.bank.finalized }
}

/** Runs a node from some slot of the same clock on; `then` sees it before it stops. */
export const run = <A>(
  folder: string | null,
  [from, to]: readonly [number, number],
  then: (node: SolanaNode) => A
): Promise<A> =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START_MS + from * SLOT_MS)
    const node = yield* startNode({ ...PLAN, port: 0, folder })
    for (let slot = from; slot < to; slot++) {
      yield* TestClock.adjust(SLOT_MS)
      yield* node.step
    }
    return then(node)
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

/** A chain that was stopped at a slot, with all that it told, and copies of its folder. */
export const keptChain = (STOPPED: number) => {
  const whole = folderOf(`whole-${STOPPED}`)
  return {
    STOPPED,
    /** no slot more: what a start alone makes of the folder */
    NOTHING: [STOPPED, STOPPED] as const,
    makeWhole: () => run(whole, [0, STOPPED], told),
    copyOf: (name: string) => {
      cpSync(whole, folderOf(name), { recursive: true })
      return folderOf(name)
    }
  }
}

export const newest = (folder: string, kind: string) => {
  const names = readdirSync(folder).filter(name => name.startsWith(kind))
  return join(folder, names.sort().at(-1) ?? "")
}
