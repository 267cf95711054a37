/** The trade log on a real server: a start goes on from where the breakers were. */
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type LogServer, startLogServer } from "../../../test/support/log-server.ts"
import { appendMoves, lastMoves } from "./breaker-log.ts"
import { type BreakerMove, Breakers } from "./breakers.ts"
import { passOver } from "./protocol/passed-over.ts"

let server: LogServer
beforeEach(async () => {
  server = await startLogServer()
})
afterEach(() => server.stop())

const BLOCK = { number: 7, time: 1_700_000_000, hash: null, parentHash: null }

const opened: BreakerMove = {
  ...{ chain: "base", provider: "lifi", state: "open", cause: "timeout: no answer in 3000 ms" },
  ...{ atMs: 1_690_000_000_000, untilMs: 1_690_000_010_000, coolDownMs: 10_000 }
}
const half: BreakerMove = {
  ...{ ...opened, state: "half-open", cause: null, atMs: 1_690_000_010_500, untilMs: null }
}
const closed: BreakerMove = {
  ...{ chain: "base", provider: "kyberswap", state: "closed", cause: null },
  ...{ atMs: 1_690_000_020_000, untilMs: null, coolDownMs: null }
}

it("tells the last move of each provider, over restarts of whoever writes", async () => {
  expect(await server.run(lastMoves("base"))).toEqual([])
  await server.run(appendMoves("base", [opened], BLOCK))
  await server.run(appendMoves("base", [{ ...closed, provider: "kyberswap" }, half], BLOCK))
  expect(await server.run(lastMoves("base"))).toEqual([half, closed])
  expect(await server.run(lastMoves("arc"))).toEqual([])
})

it("goes on with an open breaker, and lets a new probe out where one was under way", async () => {
  const moves: Array<BreakerMove> = []
  const breakers = new Breakers(move => moves.push(move))
  breakers.restore(opened)
  expect(breakers.of("base", "lifi")).toEqual({
    ...{ state: "open", untilMs: 1_690_000_010_000, coolDownMs: 10_000 }
  })
  breakers.restore(half)
  const asked = breakers.attempt("base", "lifi", Effect.fail(passOver("timeout", "late")))
  expect((await Effect.runPromise(asked)).isAsked).toBe(true)
  expect(moves.map(({ state, coolDownMs }) => [state, coolDownMs])).toEqual([
    ["half-open", 10_000],
    ["open", 20_000]
  ])
})

it("notes no move of a call for which nothing went out", async () => {
  const moves: Array<BreakerMove> = []
  const breakers = new Breakers(move => moves.push(move))
  for (let i = 0; i < 12; i++) {
    const none = Effect.fail(passOver("call-budget", "used up"))
    expect((await Effect.runPromise(breakers.attempt("base", "lifi", none))).isAsked).toBe(false)
  }
  expect([moves, breakers.of("base", "lifi")]).toEqual([[], { state: "closed", recent: [] }])
})
