/** `Lane.pin` as the API calls it: lane and source in threads of their own, on a chain that goes on. */

import { join } from "node:path"
import { Effect, Exit, Option, Scope } from "effect"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import type { LaneClient } from "../../engine/lane/lane-client.ts"
import { upkeepDefaults } from "../../engine/lane/lane-open.ts"
import { floorOf, isComplete, PinLedger } from "../../engine/late/pin-ledger.ts"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import { startLane } from "../../src/bin/lane-set.ts"
import type { Address } from "../../src/domain/address.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import { encodeSegment } from "../../streams/codec/segment-codec.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { FakeChain } from "../support/fake-chain.ts"
import { deployMarket, randomTxs } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { deployMintable, mint, move } from "../support/fake-supply.ts"
import { logNow } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { temporaryFolder } from "../support/nats.ts"
import { PATIENCE_MS } from "../support/patience.ts"
import { rpcChain, transfersOf } from "../support/rpc-source.ts"
import { random } from "../support/seed.ts"

const TOKEN = `0x${"c3".repeat(20)}` as const
const CREATED = 20
/** transfers of the token in a block */
const MOVES = 6

const folder = temporaryFolder()
const chain = new FakeChain(rpcChain.id, 2)
const r = random("lane-pin")
let server: LogServer
let node: FakeRpc
let scope: Scope.Closeable
let lane: LaneClient
/** what the first pin was answered, asked before there was a source */
let early: Exit.Exit<void, unknown>

const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) {
    const count = chain.head.number + 1 >= CREATED ? MOVES : 0
    const moves = Array.from({ length: count }, () => move(TOKEN, r.bits(60)))
    chain.mine([...randomTxs(r, 2), ...moves])
  }
}

beforeAll(async () => {
  deployMarket(chain)
  deployMintable(chain, TOKEN)
  chain.createdAt.set(TOKEN, CREATED)
  mine(CREATED - 1)
  chain.mine([mint(TOKEN, 2n ** 70n)])
  mine(60)
  node = await startFakeRpc(chain, "lane-pin")
  server = await startLogServer()
  // the lane reads a log that is there
  await server.run(Effect.asVoid(openTapeLog(rpcChain.key)))
  scope = await Effect.runPromise(Scope.make())
  const setting = {
    chain: rpcChain,
    endpoints: [node.url],
    start: "0",
    backfill: { from: null, order: "newest", prove: false },
    pins: [],
    unpins: []
  } as const
  const settings = {
    port: 0,
    host: "127.0.0.1",
    dataDir: join(folder.path, "data"),
    rateLimit: { enforced: false, loopbackEnforced: false },
    holderPins: 64,
    threads: 1,
    upkeep: upkeepDefaults,
    chains: [setting]
  }
  const options = { settings, natsUrl: server.nats.url, serverSilentMs: () => 0, json: false }
  const { client } = await Effect.runPromise(startLane(setting, options).pipe(Scope.provide(scope)))
  lane = client
  early = await Effect.runPromiseExit(lane.pin(TOKEN as Address))
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await node.close()
  await server.stop()
  folder.remove()
})

const until = (what: string, holds: () => boolean) =>
  vi.waitUntil(holds, { timeout: PATIENCE_MS, interval: 20 }).catch(() => {
    throw new Error(`${what}: ${JSON.stringify(lane.status())}`)
  })

const source = () => lane.status().source
const pinned = () => source()?.pins?.find(({ token }) => token === TOKEN)
const pin = (token: string) => Effect.runPromise(lane.pin(token as Address))

it("is refused while no source runs", () => {
  expect(Exit.isFailure(early)).toBe(true)
  expect(JSON.stringify(early)).toContain("no source runs that could pin")
})

it("hands a token to the source, which logs all its transfers", async () => {
  await until("the head", () => source()?.emittedBlock === chain.head.number)
  expect(source()?.pins).toEqual([])
  await pin(`0x${"C3".repeat(20)}`)
  await until("asked", () => pinned()?.state === "asked")
  // the log tells of it with the next block
  const before = chain.head.number
  mine(1)
  await until("pinned", () => pinned()?.addedBlock === before + 1)
  await pin(TOKEN)
  // what is not final yet is read once it is
  mine(rpcChain.finalityDepth)
  // the log joins what was read with its next block
  await until("complete", () => {
    if (source()?.emittedBlock === chain.head.number) mine(1)
    return pinned()?.complete === true
  })
  expect(source()?.pins).toMatchObject([
    {
      token: TOKEN,
      state: "complete",
      addedBlock: before + 1,
      createdBlock: CREATED,
      floorBlock: CREATED,
      reachedBlock: null,
      complete: true,
      problem: null
    }
  ])
  mine(2)
  await until("the head again", () => source()?.emittedBlock === chain.head.number)
  await until("folded", () => lane.status().block === chain.head.number)
  const { events, joined, gaps } = await logNow(server, rpcChain.key)
  const told = [...joined, ...events].filter(({ kind }) => kind === "TransferSeen")
  expect(told).toEqual(transfersOf(chain, [TOKEN]))
  expect(told.length).toBe(1 + MOVES * (chain.head.number - CREATED))
  expect([gaps, events.filter(({ kind }) => kind === "TokenPinned").length]).toEqual([[], 1])
  // no reader has seen anything move
  expect([lane.setbacks(), lane.status().rollbacks]).toEqual([0, 0])
  // and it cost its transfers once
  const { bytes } = await server.run(
    Effect.flatMap(JetStream, ({ stream }) => Effect.map(stream("PINS_BASE"), Option.getOrThrow))
  )
  const once = encodeSegment(batchOf(joined.filter(({ tx }) => tx !== null))).length
  expect(bytes).toBeLessThanOrEqual(1.2 * once)
  // the tables tell the next source what is pinned
  const answer = await Effect.runPromise(lane.query({ name: "marks", params: {} }))
  const { pins, joins } = JSON.parse(new TextDecoder().decode(answer.ok ? answer.body : undefined))
  const [known] = new PinLedger(pins, joins).pins
  expect(known).toMatchObject({ token: TOKEN, addedBlock: before + 1 })
  expect(known !== undefined && isComplete(known) && floorOf(known)).toBe(CREATED)
})
