/**
 * The law of late changes: whatever becomes of the log or of the tables behind a lane that serves,
 * each answer of each route is the one that an engine gives which folded the log up to there in one
 * go, of before the change or of after it; or a 503 in its envelope. Nothing on the way is shown.
 */
import { truncateSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { upkeepDefaults } from "../../engine/lane/lane-open.ts"
import { openDuckDb } from "../../src/platform/duckdb-local.ts"
import { testChain } from "../support/chain-config.ts"
import { type Answer, LateWorld, MarketChain, read, until } from "../support/late-world.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"
import { declaredRoutes, isOf, urlsOf } from "../support/route-urls.ts"
import { seed } from "../support/seed.ts"
import { type Frame, openSocket, type WsClient } from "../support/ws-client.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const SWAPS = isLong ? 60 : 8
const READERS = 2

const chain = new MarketChain(`${seed}/late changes`, SWAPS)
const world = new LateWorld(chain, {
  // of what the market's newest blocks hold some are folded again in place, more are not
  inPlaceEvents: SWAPS * 20,
  upkeep: { ...upkeepDefaults, snapshotEvery: SWAPS * 100 }
})
const token = chain.market.tokens[2]?.address ?? ""
const asked = {
  chain: testChain,
  tokens: [token],
  wallets: [chain.market.wallets[0] ?? ""],
  pools: chain.market.pools.slice(2, 4).map(({ address }) => address),
  minutes: [1_700_000_700],
  middle: { ts: 1_700_000_900, block: 130, logIndex: 2 }
}
// what the server says of itself and of the lane's state is of no position
const urls = declaredRoutes
  .filter(route => isOf(route, testChain) && route.toldBy !== "server")
  .flatMap(route => urlsOf(route, asked, queries => queries.slice(0, isLong ? 5 : 1)))

type Reference = ReadonlyMap<string, Answer>

const referenceNow = async (): Promise<Reference> => {
  const { api, close } = await world.untouched()
  const answers = new Map<string, Answer>()
  for (const url of urls) answers.set(url, await read(api, url))
  await close()
  return answers
}

const ENVELOPE = /^\{"error":"[A-Z_]+","message":"[^"]+"\}$/

const isOneOf = (answer: Answer, references: ReadonlyArray<Answer | undefined>): boolean =>
  references.some(
    one =>
      one !== undefined &&
      one.status === answer.status &&
      one.body === answer.body &&
      one.etag === answer.etag &&
      one.seq === answer.seq
  )

/** Reads all routes again and again, until told to stop and each was read once more. */
const polling = (before: Reference) => {
  const seen: Array<readonly [url: string, answer: Answer]> = []
  let isOver = false
  let refused = 0
  const reader = async (place: number): Promise<void> => {
    const own = urls.filter((_, i) => i % READERS === place)
    let left = own.length
    for (let i = 0; left > 0; i++) {
      if (isOver) left--
      const url = own[i % own.length] ?? ""
      const answer = await read(world.api, url)
      if (isOneOf(answer, [before.get(url)])) continue
      if (answer.status === 503 && ENVELOPE.test(answer.body)) {
        refused++
        // who is refused comes again later, and leaves the lane the cores
        await sleep(10)
      } else seen.push([url, answer])
    }
  }
  const readers = Array.from({ length: READERS }, (_, place) => reader(place))
  const stop = async () => {
    isOver = true
    await Promise.all(readers)
  }
  /** Answers that were neither of before nor of after. */
  const judged = (after: Reference) => {
    const wrong = seen.filter(([url, answer]) => !isOneOf(answer, [after.get(url)]))
    const told = wrong
      .slice(0, 3)
      .map(([url, answer]) => [
        `${url} answers neither as before the change nor as a lane that folded the log in one go`,
        "what of its projection does `reloaded` not make anew, after a start or a rollback?",
        { got: answer, before: before.get(url), after: after.get(url) }
      ])
    return { wrong: told, refused, isNew: seen.length > 0 }
  }
  return { stop, judged }
}

let socket: WsClient
let reference: Reference
/** trades as a reader of the socket has them, oldest first */
let tape: Array<Frame & { readonly trade: object }> = []
let undos = 0
/** facts that the log has told */
const known = new Set<string>()

const takeFrames = (): void => {
  for (const frame of socket.rest() as ReadonlyArray<Frame & { trade: object; toSeq: number }>) {
    if (frame.type === "undo") {
      undos++
      tape = tape.filter(({ seq }) => seq <= frame.toSeq)
    } else if (frame.type === "trade") tape.push(frame)
  }
  socket.frames.length = 0
}

const tradesNow = async (): Promise<ReadonlyArray<object>> => {
  const { body } = await read(world.api, `/v1/tokens/trades/${token}?chain=8453&limit=500`)
  return (JSON.parse(body) as { readonly trades: ReadonlyArray<object> }).trades.toReversed()
}

interface Told {
  readonly undos: number
  readonly refused: number
}

/** Makes a change under readers; nothing that they are told may be of neither side of it. */
const changed = async (change: () => Promise<unknown>): Promise<Told> => {
  undos = 0
  const was = world.lane.seq()
  const { stop, judged } = polling(reference)
  await change()
  await until("the change", () => world.isThere())
  await stop()
  const after = await referenceNow()
  const { wrong, refused, isNew } = judged(after)
  expect(wrong).toEqual([])
  expect(isNew).toBe(world.lane.seq() !== was)
  reference = after
  takeFrames()
  return { undos, refused }
}

oneAfterTheOther()

beforeAll(async () => {
  await world.open()
  await world.grow(chain.blocks(101, 150, "main", known))
  await world.startLane()
  await until("the start", () => world.isThere())
  const { seq } = world.log.position()
  const next = chain.blocks(151, 160, "main", known)
  for (const events of next.filter((_, i) => i !== 7)) {
    await world.append(events)
    await until("a block", () => world.isThere())
  }
  reference = await referenceNow()
  const upgrade = await openSocket(world.api.port)
  if (!upgrade.ok) throw new Error(upgrade.body)
  socket = upgrade.client
  socket.send({ op: "subscribe", channel: "trades", chain: 8453, token, from: seq })
  await until("the subscription", () => socket.frames.some(({ type }) => type === "subscribed"))
})
afterAll(() => world.close(), 60_000)

/** What the socket's reader holds, and what the routes tell, of the blocks from one on. */
const tapesFrom = async (block: number) => {
  const isOf = (trade: unknown) => (trade as { readonly block: number }).block >= block
  return {
    held: tape.map(({ trade }) => trade).filter(isOf),
    told: (await tradesNow()).filter(isOf)
  }
}

const expectSameTape = async (block: number): Promise<void> => {
  const { held, told } = await tapesFrom(block)
  expect(told.length).toBeGreaterThan(0)
  expect(held).toEqual(told)
}

/** Changes what lies behind a lane that does not run, and starts it again. */
const behindIt = (change: () => unknown) => async (): Promise<void> => {
  await world.stopLane()
  await change()
  await world.startLane()
}

it("holds while a gap near the head is repaired in place", async () => {
  const told = await changed(() => world.replace(158, 158))
  expect(told).toEqual({ undos: 1, refused: 0 })
  await expectSameTape(151)
})

it("holds while history comes, newest and oldest first", async () => {
  const others = [
    [1, 20],
    [21, 50]
  ] as const
  for (const [from, to] of [[51, 100] as const, ...(isLong ? others : [])]) {
    const { undos, refused } = await changed(() => world.replace(from, to))
    expect(refused).toBe(0)
    // what the chain may still take back moved
    expect(undos).toBe(1)
    await expectSameTape(151)
  }
  // the reorganisation below finds readers where the log has what they hold
  expect(await changed(() => world.replace(155, 155))).toEqual({ undos: 1, refused: 0 })
  await expectSameTape(151)
  // new tables go on like any
  await changed(() => world.grow(chain.blocks(161, 161, "main", known)))
  await expectSameTape(151)
})

it("holds while the chain takes back some blocks, and more than are folded again in place", async () => {
  const next = chain.blocks(160, 162, "other")
  expect((await changed(() => world.reorg(159, next.flat(), 161))).refused).toBe(0)
  await expectSameTape(151)
  if (!isLong) return
  const far = chain.blocks(131, 163, "third")
  expect((await changed(() => world.reorg(130, far.flat(), 162))).refused).toBe(0)
  await expectSameTape(151)
})

it.skipIf(!isLong)("holds while tables that are damaged are made anew", async () => {
  await changed(behindIt(() => truncateSync(world.file, 100_000)))
})

it.skipIf(!isLong)("holds while other versions of the tables are made", async () => {
  await changed(
    behindIt(() =>
      Effect.runPromise(
        Effect.gen(function* () {
          const { connect } = yield* openDuckDb(world.file, { threads: 1 })
          const { run } = yield* connect
          yield* run("UPDATE lane_meta SET value = 'of old' WHERE name = 'signature'")
        }).pipe(Effect.scoped)
      )
    )
  )
})

it("holds while a log whose newest blocks were lost is filled again", async () => {
  const told = new Set<string>()
  const blocks = chain.blocks(101, 140, "fourth", told)
  await changed(async () => {
    await world.stopLane()
    await world.loseLog()
    await world.grow(blocks)
    await world.startLane()
    await until("the loss", () => world.lane.status().problem?.includes("was lost") === true)
    // further than before
    await world.grow(chain.blocks(141, 164, "fourth", told))
  })
})
