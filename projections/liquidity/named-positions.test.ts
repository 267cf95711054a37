/** Positions of one owner in one pool, which events behind their changes name. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { splitBatch } from "../../engine/log/split-batch.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import { foldLog } from "../../test/support/folded-lane.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import {
  accountOf,
  liquidity,
  opening,
  POOL,
  raw,
  sealed,
  told
} from "../../test/support/small-solana.ts"

const START = 1_700_000_000
const [OWNER, ONE, OTHER] = [accountOf(0xe1), accountOf(0xc1), accountOf(0xc2)]

const named = (time: number, position: string): Event =>
  told(time, 3, OWNER, { kind: "PositionNamed", pool: POOL, position })

const paid = (time: number, tokens: number, dollars: number): Event =>
  told(time, 3, OWNER, {
    ...{ kind: "FeesCollected", pool: POOL, owner: OWNER, recipient: null },
    ...{ tickLower: null, tickUpper: null, amount0: raw(tokens), amount1: raw(dollars) }
  })

it("are told apart, and those that nothing names are one", () =>
  Effect.gen(function* () {
    const log = new MemoryLog()
    log.append([...opening(START), sealed(START)])
    const at = [1, 2, 3, 4, 5].map(second => START + second)
    const [t1, t2, t3, t4, t5] = at as [number, number, number, number, number]
    log.append([
      ...[liquidity(t1, OWNER, 5, 10), named(t1, ONE), sealed(t1)],
      ...[liquidity(t2, OWNER, 7, 20), named(t2, OTHER), sealed(t2)],
      ...[liquidity(t3, OWNER, 9, 30), sealed(t3)],
      ...[liquidity(t4, OWNER, -2, -4), named(t4, ONE), paid(t4, 1, 3), named(t4, ONE), sealed(t4)],
      ...[liquidity(t5, OWNER, 1, 1), sealed(t5)]
    ])
    const lane = yield* foldLog(solana, log)
    const asked = { pool: POOL, wallet: OWNER, limit: 10, offset: 0 }
    const { positions } = yield* lane.ask("liquidityPositions", asked)
    const rows = positions.map(({ position, added0, removed0, collected0, collected1 }: never) => [
      ...[position, added0, removed0, collected0, collected1]
    ])
    expect(new Set(rows)).toEqual(
      new Set([
        [ONE, 5, 2, 1, 3],
        [OTHER, 7, 0, 0, 0],
        [null, 10, 0, 0, 0]
      ])
    )
  }).pipe(Effect.scoped, Effect.runPromise))

it("are the same however a large block was cut into segments", () =>
  Effect.gen(function* () {
    const changes = Array.from({ length: 40 }, (_, i): ReadonlyArray<Event> => {
      const position = accountOf(i % 7)
      const of = { tx: liquidity(START, OWNER, 1, 2).tx, logIndex: 10 + i }
      return [
        { ...liquidity(START, OWNER, 1 + i, 2), ...of },
        { ...named(START, position), ...of }
      ]
    })
    const batch = batchOf([...opening(START), ...changes.flat(), sealed(START)])
    const asked = { pool: POOL, wallet: OWNER, limit: 10, offset: 0 }
    const cut = (message: number) =>
      Effect.gen(function* () {
        const log = new MemoryLog()
        const pieces = splitBatch(batch, { several: message, message }) ?? []
        for (const piece of pieces) log.append(eventsOf(piece.batch))
        const { positions } = yield* (yield* foldLog(solana, log)).ask("liquidityPositions", asked)
        return { pieces: pieces.length, positions }
      })
    const whole = yield* cut(1e6)
    const parts = yield* cut(450)
    expect([whole.pieces, whole.positions.length]).toEqual([1, 7])
    expect(parts.pieces).toBeGreaterThan(10)
    expect(parts.positions).toEqual(whole.positions)
  }).pipe(Effect.scoped, Effect.runPromise))
