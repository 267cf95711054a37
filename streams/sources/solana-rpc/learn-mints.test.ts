/** New mints: each of a block is asked for, however many there are, within what a block may wait. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { toBase58 } from "../../../src/domain/base58.ts"
import type { TokenFact } from "../../facts.ts"
import { FactBook } from "../../facts.ts"
import { decoded } from "../../solana/made-block.ts"
import { made } from "../../solana/made-transaction.ts"
import { madeSwap } from "../../solana/meteora-dlmm/made-swap.ts"
import { SolanaTapeWriter } from "../../solana/solana-tape-writer.ts"
import { SourceError } from "../../source.ts"
import { type Learning, learnMints } from "./learn-mints.ts"

const mintOf = (n: number): string => {
  const bytes = new Uint8Array(32).fill(7)
  new DataView(bytes.buffer).setUint32(0, n)
  return toBase58(bytes)
}

/** A block of swaps, each of a mint of its own against the same other. */
const blockOf = (slot: number, from: number, count: number) =>
  decoded(
    slot,
    Array.from({ length: count }, (_, i) =>
      made({
        instructions: [madeSwap(100n, 70n)],
        tokens: { X: [mintOf(from + i), 0n, 100n], Y: [mintOf(0), 1_000n, 930n] }
      })
    )
  )

const named = (token: string): TokenFact => ({
  ...{ token, decimals: 6, totalSupply: null, source: "call" },
  ...{ symbol: token.slice(0, 4), name: token }
})

const learning = (tokens: Learning["tokens"]): Learning => {
  const facts = new FactBook()
  const none = { last: null, blocks: [], knownPools: [], knownTokens: [] }
  return { writer: new SolanaTapeWriter({ facts, ...none }), facts, owed: new Set(), tokens }
}

it("asks for all mints of a block, 200 at once", async () => {
  const asked: Array<number> = []
  const own = learning(mints => {
    asked.push(mints.length)
    return Effect.succeed(mints.map(named))
  })
  await Effect.runPromise(learnMints(own, blockOf(10, 1, 450)))
  expect(asked).toEqual([200, 200, 51])
  const symbols = [0, 1, 200, 201, 450].map(n => own.facts.token(mintOf(n))?.symbol)
  expect(symbols).toEqual([0, 1, 200, 201, 450].map(n => mintOf(n).slice(0, 4)))
  expect(own.owed.size).toBe(0)
})

it("asks again, with the next new mint, for those that no node told of", async () => {
  let isDead = true
  const asked: Array<number> = []
  const own = learning(mints => {
    asked.push(mints.length)
    return isDead && asked.length > 1
      ? Effect.fail(new SourceError({ message: "no node answers", fatal: false }))
      : Effect.succeed(mints.map(named))
  })
  await Effect.runPromise(learnMints(own, blockOf(10, 1, 450)))
  expect([asked, own.owed.size]).toEqual([[200, 200], 251])
  isDead = false
  await Effect.runPromise(learnMints(own, blockOf(11, 451, 1)))
  expect([asked.slice(2), own.owed.size]).toEqual([[200, 52], 0])
})
