/** What a range's headers show beside its logs, while more tokens come to be watched. */
import { Effect, Queue } from "effect"
import type { Hex } from "viem"
import { afterEach, expect, it } from "vitest"
import { FakeChain, rpcLogs } from "../../../test/support/fake-chain.ts"
import { syncLog, transferLog } from "../../../test/support/fake-logs.ts"
import { deployMarket, TOKEN_A, V2_POOL } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import { fastOptions, rpcChain } from "../../../test/support/rpc-source.ts"
import { emptyTail } from "../../../test/support/tape-input.ts"
import type { EventBatch } from "../../batch/batch.ts"
import { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import { StatusBoard } from "../../status-board.ts"
import { openLane, readAll } from "./open-lane.ts"
import { Contradiction, proveRange } from "./range-proof.ts"
import { ChainSeals } from "./sealed-endpoint.ts"
import { readLogs } from "./wire.ts"

const WHO: Hex = `0x${"07".repeat(20)}`

let node: FakeRpc
afterEach(() => node.close())

it("nobody is blamed for transfers of a token that was not watched when he was asked", async () => {
  const chain = new FakeChain()
  deployMarket(chain)
  for (let i = 0; i < 20; i++) {
    const swap = i % 2 === 0 ? [syncLog(V2_POOL, 10n ** 12n, 10n ** 12n)] : []
    chain.mine([
      { from: WHO, to: V2_POOL, logs: [...swap, transferLog(TOKEN_A, WHO, V2_POOL, 5n)] }
    ])
  }
  node = await startFakeRpc(chain, "honest", {})
  const health = new EndpointHealth("honest")
  const proven = Effect.gen(function* () {
    const out = yield* Queue.unbounded<EventBatch>()
    const options = fastOptions({ endpoints: [node.url] })
    const board = new StatusBoard("evm-rpc", "")
    const reading = readAll(rpcChain, [], null, new Set())
    const { lane } = yield* openLane(
      options,
      [health],
      new ChainSeals(),
      emptyTail,
      board,
      out,
      reading
    )
    const range = { fromBlock: 1, toBlock: 20 }
    const all = readLogs(chain.blocks.slice(1, 21).flatMap(rpcLogs)) ?? []
    const logs = all.filter(log => lane.watch.wants(log))
    const told = {
      ...{ logs, proven: new Map(), tokens: lane.watch.tokens.length },
      grades: [{ ...range, grade: "range", by: [0] }]
    }
    lane.watch.addToken(TOKEN_A)
    return yield* proveRange(lane, told, range, false)
  }).pipe(Effect.scoped)
  const found = await Effect.runPromise(proven)
  if (found instanceof Contradiction) throw new Error(found.reason)
  expect(health.status(null, 1000, true, 0).wrongAnswers).toBe(0)
  expect(found.blocks.map(({ header, grade, gap }) => [header.number, grade, gap])).toEqual(
    Array.from({ length: 20 }, (_, i) => [i + 1, "root", null])
  )
})
