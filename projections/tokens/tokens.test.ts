import { Effect } from "effect"
import { expect, it } from "vitest"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openStore } from "../../engine/store/store.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { withUses } from "../all.ts"
import { tokens, tokensTable } from "./output.ts"

const TOKEN = `0x${"a1".repeat(20)}`
const OTHER = `0x${"a2".repeat(20)}`

const at = (event: object): Event =>
  ({
    block: { number: 1, time: 60, hash: `0x${"11".repeat(32)}`, parentHash: null },
    tx: null,
    logIndex: 0,
    ...event
  }) as Event

const checked = (token: string, sent: bigint, received: bigint) =>
  at({
    kind: "TransferChecked",
    token,
    pool: `0x${"b1".repeat(20)}`,
    transaction: `0x${"22".repeat(32)}`,
    sent,
    received
  })

/** The fees of all tokens after these events, in 1e-6, folded in one go. */
const fees = (events: ReadonlyArray<Event>) => {
  const log = new MemoryLog()
  log.append([...events, at({ kind: "BlockSealed", logs: 0, grade: "file" })])
  return Effect.gen(function* () {
    const folds = newFoldSet(testChain, withUses(tokens))
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    for (const segment of log.segments) yield* applySegment(core, segment)
    yield* commitPending(core)
    const found = folds.output(tokens)
    return Array.from(found.columns().transfer_fee.subarray(0, found.count()))
  }).pipe(Effect.scoped, Effect.runPromise)
}

it("remembers the largest part of a transfer that stayed away", async () => {
  expect(await fees([checked(TOKEN, 1000n, 1000n), checked(OTHER, 1000n, 950n)])).toEqual([
    0, 50_000
  ])
  const events = [checked(TOKEN, 10n ** 30n, 97n * 10n ** 28n), checked(TOKEN, 1000n, 1000n)]
  expect(await fees(events)).toEqual([30_000])
  expect(await fees(events.toReversed())).toEqual([30_000])
  // more than was sent is no fee, and nothing sent tells nothing
  expect(await fees([checked(TOKEN, 5n, 6n), checked(OTHER, 0n, 0n)])).toEqual([0, -(2 ** 31)])
})

it("keep no more of a token than somebody reads", () => {
  expect(Object.keys(tokensTable.columns).join(" ")).toBe(
    "token address symbol name decimals total_supply transfer_fee"
  )
})
