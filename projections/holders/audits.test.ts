/** Which audit of a ledger counts. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { WHOLE } from "../../test/support/asked-holders.ts"
import { openLaneWith, sealed, undo } from "../../test/support/small-lane.ts"
import { holdersProjection } from "./projection.ts"

const address = (byte: string) => `0x${byte.repeat(20)}`
const TOKEN = address("d1")
const NOBODY = `0x${"0".repeat(40)}`
const [ALICE, BOB, EVE] = [address("a1"), address("b2"), address("e5")]

const at = (time: number, fact: object): Event => {
  const block = { number: time, time, hash: null, parentHash: null }
  return { block, tx: null, logIndex: 0, ...fact } as Event
}
const transfer = (time: number, from: string, to: string, amount: bigint): Event => ({
  ...at(time, { kind: "TransferSeen", token: TOKEN, from, to, amount, wrap: null }),
  tx: { hash: `0x${"22".repeat(32)}`, index: 0, from: null, to: null }
})
const audit = (time: number, rows: ReadonlyArray<readonly [string, bigint]>): Event => {
  const balances = new Uint8Array(32 * rows.length)
  rows.forEach(([, balance], i) => {
    balances[32 * i + 31] = Number(balance)
  })
  return at(time, {
    ...{ kind: "HoldersAudited", token: TOKEN, auditedBlock: time - 1 },
    ...{ auditedHash: `0x${"44".repeat(32)}`, holders: rows.map(([holder]) => holder), balances }
  })
}

const opening = [
  ...[transfer(2, NOBODY, ALICE, 70n), transfer(2, NOBODY, BOB, 30n)],
  at(8, {
    ...{ kind: "TransfersFilled", token: TOKEN, fromBlock: 1, toBlock: 8 },
    ...{ reach: "creation", grade: "root" }
  }),
  at(9, { kind: "TokenPinned", token: TOKEN }),
  at(9, {
    ...{ kind: "TokenSeen", token: TOKEN, symbol: null, name: null, decimals: 0 },
    ...{ totalSupply: 100n, source: "call" }
  }),
  sealed(10, "root")
]

it("counts until the next one, but for differences, which as many others have to refute", async () => {
  const told = await Effect.runPromise(
    Effect.gen(function* () {
      const lane = yield* openLaneWith(holdersProjection)
      const found: Array<unknown> = []
      const look = (events: ReadonlyArray<Event>) =>
        Effect.gen(function* () {
          const seq = yield* lane.commit(events)
          const params = { token: TOKEN, limit: 5, ...WHOLE }
          const body = yield* lane.ask("holders", params)
          found.push([body.audit, body.complete])
          return seq
        })
      yield* look(opening)
      const seq = yield* look([audit(12, [[ALICE, 70n]]), sealed(12, "root")])
      yield* look([
        audit(14, [
          [ALICE, 69n],
          [EVE, 0n],
          [BOB, 30n]
        ]),
        sealed(14, "root")
      ])
      yield* look([audit(16, [[BOB, 30n]]), sealed(16, "root")])
      yield* look([
        // what moves in the same block before it is in both
        transfer(18, ALICE, EVE, 20n),
        audit(18, [
          [ALICE, 50n],
          [EVE, 20n],
          [BOB, 30n]
        ]),
        sealed(18, "root")
      ])
      yield* look([undo(12, seq), sealed(13, "root")])
      return found
    }).pipe(Effect.scoped)
  )
  const audited = (block: number, sampled: number, differing: number) => ({
    ...{ block: block - 1, at: block * 1000, sampled, differing }
  })
  expect(told).toEqual([
    [null, true],
    [audited(12, 1, 0), true],
    [audited(14, 3, 1), false],
    [audited(14, 3, 1), false],
    [audited(18, 3, 0), true],
    [audited(12, 1, 0), true]
  ])
})
