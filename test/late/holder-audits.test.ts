/**
 * Ledgers beside what real contracts say: an honest token, and such as change balances without a
 * transfer, read by the source and folded.
 */

import { Effect } from "effect"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { holdersProjection } from "../../projections/holders/projection.ts"
import type { Hex } from "../../src/platform/anvil-rpc.ts"
import type { Event } from "../../streams/event.ts"
import { WHOLE } from "../support/asked-holders.ts"
import { type LateRun, logNow, startLate } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { type OddMarket, openOddMarket } from "../support/odd-tokens.ts"
import { PATIENCE_MS } from "../support/patience.ts"
import { rpcChain } from "../support/rpc-source.ts"
import { openLaneWith } from "../support/small-lane.ts"

const KINDS = ["Plain", "Skimming", "RebasingFace", "Mute"] as const
const HOLDERS = Array.from({ length: 12 }, (_, i): Hex => `0x${(0xa0 + i).toString(16).repeat(20)}`)

let market: OddMarket
let server: LogServer
let run: LateRun
const tokens: { [name: string]: Hex } = {}

const tokenOf = (name: (typeof KINDS)[number]): Hex => tokens[name] as Hex
const statusOf = (token: string) => run.late.pins.find(pin => pin.token === token)

beforeAll(async () => {
  market = await openOddMarket()
  for (const name of KINDS) {
    const token = await market.deploy(name)
    tokens[name] = token
    for (const [i, holder] of HOLDERS.entries()) await market.mint(token, BigInt(1000 + i), holder)
    await market.mint(token, 10_000n)
    await market.mine()
  }
  for (const name of ["Plain", "Skimming"] as const) {
    for (const holder of HOLDERS.slice(0, 3)) await market.give(tokenOf(name), holder, 500n)
  }
  await market.mine()
  // nobody's balance is what it was minted
  await market.setFee(tokenOf("RebasingFace"), 110n)
  await market.mine()
  server = await startLogServer()
  const chain = { ...rpcChain, id: 8453, finalityDepth: 2, blockTimeMs: 100 }
  run = await startLate(server, { chain, endpoints: [market.url], pins: Object.values(tokens) })
})
afterAll(async () => {
  await run?.kill()
  await server?.stop()
  await market?.close()
})

type Audited = Extract<Event, { readonly kind: "HoldersAudited" }>

it("finds who has another balance than his transfers leave him", async () => {
  let log = await logNow(server, rpcChain.key)
  const audits = (token: string) =>
    log.events.filter(
      (event): event is Audited => event.kind === "HoldersAudited" && event.token === token
    )
  await vi.waitUntil(
    async () => {
      expect(run.ended()).toBe(null)
      await market.mine(1)
      log = await logNow(server, rpcChain.key)
      const told = KINDS.slice(0, 3).every(name => audits(tokenOf(name)).length > 0)
      // blocks that were read as a range are a word until they are proven
      return told && run.words() === 0 && (statusOf(tokenOf("Mute"))?.unaudited ?? null) !== null
    },
    { timeout: PATIENCE_MS, interval: 20 }
  )
  const bodies = await Effect.runPromise(
    Effect.gen(function* () {
      const lane = yield* openLaneWith(holdersProjection)
      const past = log.joined.filter(({ tx }) => tx !== null)
      yield* lane.commit([...past, ...log.events.filter(({ kind }) => kind !== "EventsJoined")])
      return yield* Effect.forEach(KINDS, name => {
        const token = tokenOf(name)
        const unaudited = statusOf(token)?.unaudited ?? null
        return lane.ask("holders", { token, limit: 20, ...WHOLE, unaudited })
      })
    }).pipe(Effect.scoped)
  )
  const [plain, skimming, rebasing, mute] = bodies
  const found = (differing: number) => ({ sampled: 13, differing })
  const doubt = (differing: number) => [
    `${differing} of 13 sampled holders have another balance on chain: this token changes ` +
      "balances without transfers (rebasing or fees), or some are missing"
  ]
  expect(plain).toMatchObject({
    ...{ complete: true, incompleteBecause: null, audit: found(0), unaudited: null }
  })
  // a tenth of three gifts is the contract's, which no transfer tells
  expect(skimming).toMatchObject({ complete: false, supplyMatches: true, audit: found(3) })
  expect(skimming.incompleteBecause).toEqual(doubt(3))
  expect(rebasing).toMatchObject({ complete: false, supplyMatches: true, audit: found(13) })
  expect(rebasing.incompleteBecause).toEqual(doubt(13))
  // what cannot be asked is no claim
  expect(mute).toMatchObject({ complete: true, audit: null })
  expect(mute.unaudited).toContain("could not be read")
  expect(audits(tokenOf("Mute"))).toEqual([])
  const [first] = audits(tokenOf("Plain"))
  expect(first?.holders.toSorted()).toEqual([...HOLDERS, market.owner].toSorted())
  const block = log.events.find(
    ({ kind, block: { number } }) => kind === "BlockSealed" && number === first?.auditedBlock
  )
  expect(first?.auditedHash).toBe(block?.block.hash)
  expect(plain.audit).toMatchObject({
    block: first?.auditedBlock,
    at: (first?.block.time ?? 0) * 1000
  })
})
