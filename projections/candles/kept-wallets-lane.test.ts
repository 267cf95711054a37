import { Effect } from "effect"
import { expect, it } from "vitest"
import { applySegment, commitPending } from "../../engine/runner/lane-core.ts"
import { hexIds } from "../../src/domain/ids.ts"
import { oracleCandles, oraclePrints } from "../../test/support/candle-oracle.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { type FoldedLane, foldLog } from "../../test/support/folded-lane.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { random, seed } from "../../test/support/seed.ts"
import { tokens } from "../tokens/output.ts"
import { frameOf } from "./time-frame.ts"

const addressOf = (lane: FoldedLane, token: number): string => {
  const { address } = lane.output(tokens).columns()
  return hexIds.account(address, token * 32)
}

const plain = { pool: null, fill: false, closed: false, raw: false, quote: "usd" }

/** Asks for wallets of some windows and compares them with those of the tape. */
const compare = (lane: FoldedLane, name: string) =>
  Effect.gen(function* () {
    const prints = yield* oraclePrints(lane.connection)
    const r = random(name)
    let compared = 0
    for (let i = 0; i < 4; i++) {
      const { token } = r.pick(prints)
      const tf = r.pick(["5s", "1m", "5m", "1h"])
      const { seconds } = frameOf(tf)
      const to = r.boolean() ? null : r.pick(prints).ts
      const { candles, from, ...rest } = yield* lane.ask("candles", {
        ...{ ...plain, token: addressOf(lane, token), tf, to, from: null },
        ...{ limit: r.integer(1, 500), fields: "buyers,sellers" }
      })
      const expected = oracleCandles(
        prints.filter(print => print.token === token),
        { seconds, raw: false }
      ).filter(({ t }) => t >= from && t < rest["to"])
      const walletsOf = (list: typeof expected) =>
        list.map(({ t, buyers, sellers }) => ({ t, buyers, sellers }))
      expect(walletsOf(candles), `${tf} of ${token} at ${i}`).toEqual(walletsOf(expected))
      compared += expected.length
    }
    return compared
  })

it("counts wallets as the tape does while the log grows and is rolled back", () =>
  Effect.gen(function* () {
    console.log(`kept wallets of a lane: SEED=${seed}`)
    const [usd, native] = testChain.anchors
    const market = newMarket("kept", usd?.address ?? "", native?.address ?? "", 3)
    const r = random(`${seed}/kept`)
    const log = new MemoryLog()
    const known = new Set<string>()
    log.append(marketBlock("kept", market, "main", 1, null, 40, known))
    const lane = yield* foldLog(testChain, log)
    let [block, compared] = [1, 0]
    for (let round = 0; round < 40; round++) {
      const back = log.segments.at(-r.integer(2, 4))
      if (round % 7 === 6 && back !== undefined) {
        const { lastSeq, lastBlock, lastBlockTime } = back.header
        const at = { number: lastBlock, time: lastBlockTime, hash: null, parentHash: null }
        const rest = { toSeq: lastSeq, fromBlock: block, toBlock: lastBlock, toHash: null }
        log.append([
          { kind: "Rollback", block: at, tx: null, logIndex: 0, ...rest, reason: "reorg" }
        ])
        block = lastBlock
      } else {
        block += r.pick([1, 1, 2, 9, 40])
        const swaps = r.integer(1, 30)
        log.append(marketBlock("kept", market, `${round}`, block, null, swaps, known))
      }
      yield* applySegment(lane.core, log.segments.at(-1) as (typeof log.segments)[number])
      yield* commitPending(lane.core)
      compared += yield* compare(lane, `${seed}/kept/${round}`)
    }
    expect(compared).toBeGreaterThan(500)
  }).pipe(Effect.scoped, Effect.runPromise))
