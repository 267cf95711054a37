/**
 * Everything at once: an engine is killed, frozen, damaged, lied to and read from, as a seed draws
 * it, beside one to which nothing happens. Whatever it answers is what the other answers of the same
 * block; while it cannot, `/v1/health` is not ok within five seconds; and in the end nothing is
 * left of it all. A few rounds of each kind of fault; in the long run ten minutes of all of them.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, it } from "vitest"
import { base } from "../../../src/domain/chains/base.ts"
import type { Event } from "../../../streams/event.ts"
import { eventToJson } from "../../../streams/event-objects.ts"
import { runCommand } from "../../support/command.ts"
import { atRest, eventually } from "../../support/engine.ts"
import { differenceFrom, logOf } from "../../support/engine-log.ts"
import { differences, laneAnswers } from "../../support/engine-world.ts"
import { logNow } from "../../support/late-run.ts"
import { startLogServer } from "../../support/log-server.ts"
import { oneAfterTheOther } from "../../support/one-after-the-other.ts"
import { declaredRoutes, isOf, urlsOf } from "../../support/route-urls.ts"
import { transfersOf } from "../../support/rpc-source.ts"
import { type Random, random, seed } from "../../support/seed.ts"
import { AnswerWatch, type Compared, compareSeen, referencesOf } from "./answer-watch.ts"
import { CounterWatch } from "./counter-watch.ts"
import { HealthWatch, SHOWN_MS } from "./health-watch.ts"
import { standsOf } from "./positions.ts"
import {
  ALL_FAULTS,
  type Fault,
  longSchedule,
  type Round,
  SHORT,
  shortSchedule
} from "./schedule.ts"
import { MINTED, type Stage, startStage } from "./stage.ts"
import { strike } from "./strike.ts"
import { TapeReader } from "./tape-reader.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
/** `CHAOS_SECONDS` shortens a long run that searches. */
const LONG_MS = Number(process.env["CHAOS_SECONDS"] ?? "600") * 1000
const BLOCK_MS = 400
const WELL_MS = 60_000

/** What the engine's pins have a part in is of no block. */
const OF_PINS = /\/holders$/

let stage: Stage
let r: Random
let health: HealthWatch
let victimAnswers: AnswerWatch
let witnessAnswers: AnswerWatch
let counters: CounterWatch
let readers: ReadonlyArray<TapeReader>
let isMining = true
let mining: Promise<void> | undefined
const struck = new Map<Fault, number>()

/** What a block may wait for the untouched engine's answers: blocks come at least as time goes by. */
const LONGEST_BLOCK_MS = 1500

/** Mines on; each block is asked of the untouched engine before the next one comes. */
const mineOn = async (): Promise<void> => {
  while (isMining) {
    const from = performance.now()
    stage.mine()
    const { number } = stage.world.chain.head
    const isAsked = async (): Promise<boolean> => {
      const { block, seq } = await stage.witness.lane("base")
      return (block ?? 0) >= number && witnessAnswers.sweptSeq >= seq
    }
    do await sleep(BLOCK_MS)
    while (performance.now() - from < LONGEST_BLOCK_MS && !(await isAsked()))
  }
}

const urlsOfMarket = (): ReadonlyArray<string> => {
  const tokens = stage.tokens.slice(1, isLong ? 4 : 2)
  const asked = {
    chain: base,
    tokens,
    wallets: stage.world.market.wallets.slice(0, 1),
    pools: [],
    minutes: [stage.world.chain.head.timestamp - (stage.world.chain.head.timestamp % 60)],
    middle: { ts: stage.world.chain.head.timestamp, block: 10, logIndex: 0 }
  }
  return declaredRoutes
    .filter(({ path, toldBy }) => toldBy === "lane" && !OF_PINS.test(path))
    .filter(route => isOf(route, base))
    .flatMap(route => urlsOf(route, asked, queries => (isLong ? queries.slice(0, 2) : [])))
}

oneAfterTheOther()

beforeAll(async () => {
  console.log(`chaos: SEED=${seed}`)
  r = random("chaos")
  stage = await startStage()
  await stage.witness.reaches("base", stage.world.chain.head.number)
  const urls = urlsOfMarket()
  health = new HealthWatch(stage.victim.url)
  victimAnswers = new AnswerWatch(stage.victim.url, urls)
  witnessAnswers = new AnswerWatch(stage.witness.url, urls)
  counters = new CounterWatch(stage.victim.url, () => stage.victim.engine.pid)
  readers = [0, 1].map(() => new TapeReader(stage.victim.port, "base", stage.tokens.slice(0, 4)))
  for (const watch of [health, victimAnswers, witnessAnswers, counters, ...readers]) watch.start()
  mining = mineOn()
  mining.catch(() => undefined)
  await health.well(WELL_MS)
})

afterAll(async () => {
  isMining = false
  await mining?.catch(() => undefined)
  const all = [health, victimAnswers, witnessAnswers, counters, ...(readers ?? [])]
  await Promise.all(all.map(watch => watch?.stop()))
  await stage?.close()
})

const play = async ({ faults, holdMs, pauseMs }: Round): Promise<void> => {
  const at = Math.round(performance.now() / 1000)
  if (isLong) console.log(`${at} s, ${holdMs} ms: ${faults.join(", ")}`)
  const scene = { stage, health, answers: victimAnswers, readers, random: r, holdMs }
  const ends = faults.map(async fault => {
    await strike[fault](scene)
    struck.set(fault, (struck.get(fault) ?? 0) + 1)
  })
  try {
    await Promise.all(ends)
    await health.well(WELL_MS)
  } catch (error) {
    throw new Error(`${error}, of an engine that wrote\n${stage.victim.engine.output}`, {
      cause: error
    })
  }
  await sleep(pauseMs)
}

const playAll = async (): Promise<void> => {
  if (!isLong) {
    for (const round of shortSchedule(r)) await play(round)
    return
  }
  const until = performance.now() + LONG_MS
  for (const round of longSchedule(r)) {
    await play(round)
    if (performance.now() > until) return
  }
}

const holders = async (engine: Stage["witness"]) => {
  const { body } = await engine.get(`/chains/base/token/${MINTED}/holders`)
  const { complete, holders, top, totalSupply, incompleteBecause } = body
  return { complete, holders, top, totalSupply, incompleteBecause }
}

/** Waits for all of the pinned token, which comes with new blocks. Ends the mining then; both engines have all of the chain, and the one has proven it all. */
const settle = async (): Promise<void> => {
  const hasAll = async (): Promise<boolean> => {
    for (const engine of [stage.victim.engine, stage.witness]) {
      const told = await holders(engine)
      if (told.complete !== true) throw new Error(JSON.stringify(told))
    }
    return true
  }
  // the short run does not wait for all of the blocks that make the pin's past final
  if (!isLong) for (let i = 0; i < base.finalityDepth; i++) stage.mine()
  // a pin that was cut off with the log begins anew, and waits until its past is final
  await eventually("all transfers", hasAll, 300_000)
  isMining = false
  await mining
  const { number } = stage.world.chain.head
  for (const engine of [stage.victim.engine, stage.witness]) await engine.reaches("base", number)
  await stage.victim.engine.alive("no gaps", async () => {
    const { gaps, lag } = await stage.victim.engine.lane("base")
    return gaps.length === 0 && lag.events === 0
  })
  await health.well(WELL_MS)
}

/** Transfers of the token that its log has, with those it joins, in the chain's order. */
const transfersTold = async (): Promise<ReadonlyArray<string>> => {
  const server = await startLogServer(stage.victim.dataDir)
  try {
    const { events, joined } = await logNow(server, "base")
    return transferLines([...events, ...joined].filter(({ kind }) => kind === "TransferSeen"))
  } finally {
    await server.stop()
  }
}

const transferLines = (events: ReadonlyArray<Event>): ReadonlyArray<string> =>
  events
    .toSorted((a, b) => a.block.number - b.block.number || a.logIndex - b.logIndex)
    .map(event => eventToJson(event, 0))

/** Answers that were not of their block, though nothing was declared missing or health was ok. */
const wrong = ({ unequal }: Compared): ReadonlyArray<string> =>
  unequal.flatMap(({ isDeclared, since, lastAt, difference }) => {
    if (!isDeclared) return [difference]
    const isSaidWell = health.okWithin(since + atRest(SHOWN_MS), lastAt)
    return isSaidWell ? [`${difference}\n  for ${Math.round(lastAt - since)} ms, and well`] : []
  })

/** The tape of a token as the routes tell it, newest first. */
const toldTape = async (token: string): Promise<ReadonlyArray<object>> => {
  const trades: Array<object> = []
  for (let before = ""; ; ) {
    const path = `/chains/base/token/${token}/trades?limit=500${before}`
    const { body } = await stage.victim.engine.get(path)
    trades.push(...body.trades)
    if (body.nextBefore === null) return trades
    before = `&before=${body.nextBefore}`
  }
}

it("whatever happens, answers are true and health says when they cannot be", async () => {
  await playAll()
  await settle()
  await eventually("frames", async () => {
    const told = await toldTape(stage.tokens[1] ?? "")
    return readers.every(reader => reader.trades(stage.tokens[1] ?? "").length === told.length)
  }).catch(() => undefined)
  for (const reader of readers) {
    expect(reader.faults).toEqual([])
    for (const token of stage.tokens.slice(0, 4)) {
      expect(reader.trades(token)).toEqual(await toldTape(token))
    }
  }
  const own = await laneAnswers(stage.victim.engine, stage.world)
  expect(differences(own, await laneAnswers(stage.witness, stage.world))).toEqual([])
  expect(await holders(stage.victim.engine)).toEqual(await holders(stage.witness))
  expect(counters.faults).toEqual([])
  expect(health.faults).toEqual([])
  const wanted = isLong ? ALL_FAULTS : SHORT.flat()
  for (const fault of wanted) expect(struck.get(fault) ?? 0, fault).toBeGreaterThan(0)
}, 1_200_000)

it("and each answer on the way was that of its block", async () => {
  await Promise.all([victimAnswers.stop(), witnessAnswers.stop()])
  await stage.victim.engine.stop()
  await stage.witness.stop()
  const log = await logOf(stage.victim.dataDir, "base")
  expect(differenceFrom(stage.world.chain, log, ["TransferSeen"])).toBeNull()
  expect(await transfersTold()).toEqual(transferLines(transfersOf(stage.world.chain, [MINTED])))
  const eras = [...stage.eras, standsOf(log)]
  const untouched = standsOf(await logOf(stage.witness.dataDir, "base"))
  const references = referencesOf(witnessAnswers, untouched)
  expect([...witnessAnswers.faults].slice(0, 5)).toEqual([])
  expect([...victimAnswers.faults].slice(0, 5)).toEqual([])
  const found = compareSeen(victimAnswers.seen.values(), (era, seq) => eras[era]?.[seq], references)
  const { equal, unknown, unequal } = found
  console.log(
    `answers: ${equal} equal, ${unknown} of blocks not asked of the other, ` +
      `${unequal.length} of blocks declared missing, ${victimAnswers.refused} refused`
  )
  expect(wrong(found).slice(0, 5)).toEqual([])
  expect(equal).toBeGreaterThan(unknown)
  const verified = await runCommand("verify", ["--data", stage.victim.dataDir])
  expect(verified.output).toContain("verified: log and tables agree")
})
