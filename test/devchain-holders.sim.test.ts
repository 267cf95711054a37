/**
 * Holders on contracts that can be asked: the devchain's tokens, its wrapped native one among them,
 * read by the source with all their transfers, against `balanceOf` of everybody who ever had some and `totalSupply`. And what else the
 * routes say of them, against plain SQL.
 */

import { Effect } from "effect"
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { holdersProjection } from "../projections/holders/projection.ts"
import { withDevchainFacts } from "../src/bin/devchain-facts.ts"
import { base } from "../src/domain/chains/base.ts"
import type { Hex } from "../src/platform/anvil-rpc.ts"
import type { Event } from "../streams/event.ts"
import { WHOLE } from "./support/asked-holders.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "./support/devchain.ts"
import { type LateRun, logNow, startLate } from "./support/late-run.ts"
import { type LogServer, startLogServer } from "./support/log-server.ts"
import { MemoryLog } from "./support/memory-log.ts"
import { PATIENCE_MS } from "./support/patience.ts"
import { serveWhole } from "./support/serve-whole.ts"
import { openLaneWith } from "./support/small-lane.ts"
import {
  checkBoard,
  checkCandles,
  checkMovers,
  checkPage,
  checkStats,
  checkTape,
  checkTotals,
  tradedTokens
} from "./support/token-checks.ts"

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function totalSupply() view returns (uint256)"
])

let opened: TestDevchain
let server: LogServer
let run: LateRun
let tokens: ReadonlyArray<Hex>
let events: ReadonlyArray<Event>

beforeAll(async () => {
  opened = await openDevchain({ chain: "base", history: 30 })
  await mineBlocks(opened.devchain, 20)
  tokens = opened.devchain.tokens.map(({ address }) => address.toLowerCase() as Hex)
  server = await startLogServer()
  const chain = { ...withDevchainFacts(base), finalityDepth: 5, blockTimeMs: 100 }
  const endpoints = [opened.devchain.rpcUrl]
  run = await startLate(server, { chain, endpoints, pins: tokens, devchain: true })
  // the log joins what was read with its next blocks; where the source was late and read blocks as
  // a range, they are proven one by one
  await vi.waitUntil(
    async () => {
      if (run.loggedBlock() !== opened.devchain.head().number) return false
      const { pins } = run.late
      const isJoined = pins.length === tokens.length && pins.every(({ complete }) => complete)
      if (isJoined && run.words() === 0) return true
      await mineBlocks(opened.devchain, 1)
      return false
    },
    { timeout: PATIENCE_MS, interval: 20 }
  )
  const log = await logNow(server, "base")
  const past = log.joined.filter(({ tx }) => tx !== null)
  events = [...past, ...log.events.filter(({ kind }) => kind !== "EventsJoined")]
})
afterAll(async () => {
  await run?.kill()
  await server?.stop()
  await opened?.remove()
})

const ask = async (
  to: Hex,
  call:
    | { readonly functionName: "totalSupply" }
    | { readonly functionName: "balanceOf"; readonly args: readonly [Hex] }
): Promise<bigint> => {
  const data = encodeFunctionData({ abi, ...call })
  const answer = await Effect.runPromise(
    opened.devchain.rpc.call("eth_call", { to, data }, "latest")
  )
  return decodeFunctionResult({ abi, functionName: call.functionName, data: answer })
}

test("boards, stats, tapes and candles say what plain SQL over the tape says", async () => {
  const log = new MemoryLog()
  log.append(events)
  const served = await serveWhole(withDevchainFacts(base), log)
  expect(await checkBoard(served)).toBeGreaterThan(3)
  await checkTotals(served)
  await checkMovers(served)
  const traded = await tradedTokens(served.rows)
  for (const token of process.env["SWAPTAPE_LONG"] === "1" ? traded : traded.slice(0, 2)) {
    await checkStats(served, token)
    await checkPage(served, token, { number: 1 })
    await checkTape(served, token)
    for (const [tf, width] of [
      ["1m", 60],
      ["1h", 3600]
    ] as const) {
      await checkCandles(served, token, tf, width)
    }
  }
  await served.close()
})

/** Everybody who is named by a token's transfers. */
const partiesOf = (token: string): ReadonlyArray<Hex> => [
  ...new Set(
    events.flatMap(event =>
      event.kind === "TransferSeen" && event.token === token
        ? [event.from as Hex, event.to as Hex]
        : []
    )
  )
]

test("every holder has what the token says, and all of them the supply", async () => {
  const told = await Effect.runPromise(
    Effect.gen(function* () {
      const lane = yield* openLaneWith(holdersProjection)
      yield* lane.commit(events)
      return yield* Effect.forEach(tokens, token =>
        lane.ask("holders", { token, limit: 1000, ...WHOLE })
      )
    }).pipe(Effect.scoped)
  )
  const unexplained: Array<string> = []
  let asked = 0
  for (const [i, token] of tokens.entries()) {
    const body = told[i]
    expect(body).toMatchObject({ token, tracked: true })
    const supply = await ask(token, { functionName: "totalSupply" })
    const shown = new Map<string, string>(
      body.top.map((row: { holder: string; balance: string }) => [row.holder, row.balance])
    )
    if (!body.complete) {
      unexplained.push(token)
      const made = `transfers make a supply of ${body.supplyFromTransfers}, the token says `
      expect(body.incompleteBecause[0]).toContain(made)
      expect(body.supplyMatches).toBe(false)
      continue
    }
    expect(body).toMatchObject({
      ...{ incompleteBecause: null, supplyMatches: true },
      ...{ negativeHolders: 0, totalSupply: String(supply) }
    })
    for (const holder of partiesOf(token)) {
      const balance = await ask(token, { functionName: "balanceOf", args: [holder] })
      expect(shown.get(holder) ?? "0").toBe(String(balance))
      asked++
    }
    expect([...shown.values()].reduce((sum, balance) => sum + BigInt(balance), 0n)).toBe(supply)
    expect(body.holders).toBe(shown.size)
  }
  expect(unexplained).toEqual([])
  expect(asked).toBeGreaterThan(100)
  // who wraps the native unit gets it without a transfer
  const wraps = events.filter(event => event.kind === "TransferSeen" && event.wrap === 1)
  expect(wraps.length).toBeGreaterThan(10)
  expect(new Set(wraps.map(event => event.kind === "TransferSeen" && event.token))).toEqual(
    new Set([base.nativeToken])
  )
})
