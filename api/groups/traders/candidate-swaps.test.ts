/** Swaps of candidates that cannot be read: what is told of that. */
import { join } from "node:path"
import { Effect, Logger } from "effect"
import { afterAll, expect, it } from "vitest"
import { openStore } from "../../../engine/store/store.ts"
import { temporaryFolder } from "../../../test/support/nats.ts"
import { foldCandidates } from "./candidate-swaps.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())

it("logs once why they cannot, names it, and folds no wallet that lacks a swap", async () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => lines.push(String(message)))
  const sums = { from: 0, upTo: 3, money: new Map(), scales: new Map(), isQuotedOnly: true }
  const window = { sums, coverageSince: 0, parts: [], first: 1, newest: 3 }
  const wallets = [1, 2].map(n => ({
    ...{ wallet_top: "0", wallet_hi: "0", wallet_lo: n, swaps: 20_001 }
  }))
  const work = Effect.gen(function* () {
    // tables of another shape: there is no tape
    const { writer } = yield* openStore(join(folder.path, "bare.duckdb"), [], { threads: 1 })
    const view = { rows: writer.rows, columns: writer.columns }
    return yield* foldCandidates(view as Parameters<typeof foldCandidates>[0], window, wallets)
  })
  const { folds, problem } = await Effect.runPromise(
    work.pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  )
  expect(folds).toEqual([null, null])
  expect(problem).toMatch(/Table with name tape does not exist/)
  expect(lines).toEqual([
    `smart traders: 3 of the slices of the candidates' swaps could not be read: ${problem}`
  ])
})
