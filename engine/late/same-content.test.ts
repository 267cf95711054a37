/** What of a block is compared where it is read again. */
import { expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { eventOf } from "../../streams/venue-laws.ts"
import { knownIn } from "./known-in.ts"
import { differencesOf } from "./same-content.ts"

const tx = { hash: "0x1", index: 1, from: "0x2", to: null }

const set = (name: string, value: bigint): Event => ({
  ...eventOf({ kind: "PoolParameterSet", pool: "0x3", name, index: 0, value }),
  tx
})

const swap = (venueKind: string, sqrtPriceX96: bigint | null, amount1Out = 4n): Event => ({
  ...eventOf({
    ...{ kind: "SwapExecuted", pool: "0x3", venueKind, sender: null, recipient: null },
    ...{ amount0In: 3n, amount0Out: 0n, amount1In: 0n, amount1Out },
    ...{ sqrtPriceX96, liquidity: null, tick: sqrtPriceX96 === null ? null : 1, fee: null },
    ...{ token0: null, token1: null, index0: null, index1: null }
  }),
  tx
})

const same = (ours: ReadonlyArray<Event>, theirs: ReadonlyArray<Event>): boolean =>
  differencesOf(ours, theirs, () => false).length === 0

it("is what transactions tell, all of it, and not what the block's reader adds", () => {
  expect(same([set("fee", 6n), { ...set("fee", 7n), tx: null }], [set("fee", 6n)])).toBe(true)
  expect(same([set("fee", 6n)], [set("fee", 7n)])).toBe(false)
  expect(same([set("fee", 6n)], [])).toBe(false)
  expect(same([set("virtualReserve", 5n)], [set("virtualReserve", 6n)])).toBe(false)
})

it("is not the price in bins that one of two readers lacked, nor the step that it lacked", () => {
  const [known, unknown] = [swap("meteora-dlmm", 9n), swap("meteora-dlmm", null)]
  expect(same([set("binStep", 20n), known], [unknown])).toBe(true)
  expect(same([unknown], [known])).toBe(true)
  expect(same([known], [swap("meteora-dlmm", 8n)])).toBe(false)
  expect(same([unknown], [swap("meteora-dlmm", 9n, 5n)])).toBe(false)
  expect(same([swap("raydium-clmm", 9n)], [swap("raydium-clmm", null)])).toBe(false)
})

it("has pools that its own transactions made, which a reading does not know before", () => {
  const pool = (address: string) =>
    eventOf({
      ...{ kind: "PoolCreated", pool: address, venueKind: "pumpfun", factory: "0x4" },
      ...{ tokens: ["0x5", "0x6"], fee: null, tickSpacing: null, hooks: null },
      ...{ source: "event" }
    })
  const known = knownIn([pool("0x7"), { ...pool("0x3"), tx }, set("fee", 6n)])
  expect(known.knownPools).toEqual(["0x7"])
})

it("tells other transactions from other contents, hashes and times", () => {
  const one = set("fee", 6n)
  const differences = (...theirs: ReadonlyArray<Event>) => differencesOf([one], theirs, () => false)
  const { block } = one
  expect(differences(one)).toEqual([])
  expect(differences()).toEqual(["transactions"])
  expect(differences({ ...one, tx: { ...tx, hash: "0x8" } })).toEqual(["transactions"])
  expect(differences(set("fee", 7n))).toEqual(["contents"])
  expect(differences({ ...one, block: { ...block, time: block.time + 1 } })).toEqual(["times"])
  expect(differences({ ...one, block: { ...block, hash: "0x9" } })).toEqual(["hashes"])
  const fork = { ...set("fee", 7n), block: { ...block, hash: "0x9", time: block.time - 1 } }
  expect(differences(fork)).toEqual(["contents", "hashes", "times"])
})
