/** What live readers are told of what is folded: nothing is missing, and nothing stays that is undone. */
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { withUses } from "../../projections/all.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { eventually } from "../../test/support/engine.ts"
import { hostLane } from "../../test/support/hosted-lane.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { followedLog, MemoryLog, takingBack } from "../../test/support/memory-log.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { random } from "../../test/support/random.ts"
import { seed } from "../../test/support/seed.ts"
import type { Segment } from "../log/segment.ts"
import type { FromLane } from "./messages.ts"

const NAME = `${seed}/told folded`
const [usd, native] = testChain.anchors
const folder = temporaryFolder()
afterAll(() => folder.remove())

const projections = withUses({ name: "candles" })
const { int } = random(NAME)

/** A chain whose blocks come while a reader wants the trades of one of its tokens. */
const world = (name: string) => {
  const market = newMarket(name, usd?.address ?? "", native?.address ?? "", 1)
  const log = new MemoryLog()
  const known = new Set<string>()
  const ends = new Map<number, Segment>()
  let head = 0
  const append = (events: ReadonlyArray<Event>): void => {
    const segment = log.append(events)
    ends.set(segment.header.lastBlock, segment)
    head = segment.header.lastBlock
  }
  const block = (branch: string, number: number) =>
    marketBlock(name, market, branch, number, null, 5, known)
  const mine = (): void => append(block("main", head + 1))
  const reorg = (depth: number): void => {
    const [last, fork] = [head, head - depth].map(block => ends.get(block)?.header)
    const next = block(`${head}`, head - depth + 1)
    const first = next[0]?.block
    if (last === undefined || fork === undefined || first === undefined) throw new Error("no fork")
    append([takingBack(fork, last, first), ...next])
  }
  return { log, mine, reorg, token: market.tokens[0]?.address ?? "" }
}

type Notice = Extract<FromLane, { type: "frames" }>["notice"]

/** What a reader of one channel has after all notices, as the hub hands them on. */
const heardBy = (notices: ReadonlyArray<Notice>, channel: string) => {
  let heard: number | null = null
  const has: Array<{ seq: number; body: string }> = []
  for (const { channels, since, seq, frames } of notices) {
    if (!channels.includes(channel)) continue
    heard ??= since
    expect(since).toBeLessThanOrEqual(heard)
    for (const frame of frames ?? []) {
      if (frame.channel !== channel || frame.seq <= heard) continue
      const { toSeq } = JSON.parse(frame.body) as { readonly toSeq?: number }
      if (frame.undo === true) while ((has.at(-1)?.seq ?? -1) > (toSeq ?? 0)) has.pop()
      else has.push({ seq: frame.seq, body: frame.body })
    }
    heard = Math.max(heard, seq)
  }
  return has
}

it("tells every frame that stands, and takes back what does not, whenever commits come", async () => {
  const { log, mine, reorg, token } = world(NAME)
  for (let i = 0; i < 30; i++) mine()
  const file = join(folder.path, "told.duckdb")
  const lane = hostLane({ file, projections, log: followedLog(log) })
  const isThere = () =>
    eventually("all of the log", () =>
      lane.posted.some(one => one.type === "position" && one.at.seq === log.end.seq)
    )
  await isThere()
  const key = token.toLowerCase()
  lane.tell({ type: "want", channel: "trades", key, wanted: true })
  const start = log.end.seq
  const from = lane.posted.length
  for (let round = 0; round < 60; round++) {
    for (let i = int(4); i >= 0; i--) mine()
    if (int(6) === 0) reorg(1 + int(3))
    await new Promise(resolve => setTimeout(resolve, int(3)))
  }
  const noticed = () =>
    lane.posted.slice(from).flatMap(one => (one.type === "frames" ? [one.notice] : []))
  const ofTrades = () => noticed().filter(({ channels }) => channels.includes("trades"))
  await eventually("all frames", () => ofTrades().at(-1)?.seq === log.end.seq)
  await isThere()
  const notices = ofTrades()
  const answer = new Promise<FromLane>(resolve => {
    const timer = setInterval(() => {
      const found = lane.posted.find(one => one.type === "history" && one.id === 1)
      if (found !== undefined) resolve(found)
      if (found !== undefined) clearInterval(timer)
    }, 5)
  })
  lane.tell({
    ...{ type: "history", id: 1 },
    request: { channel: "trades", key, fromSeq: start, limit: 1e6 }
  })
  const history = await answer
  const told =
    history.type === "history" && history.answer.frames !== null ? history.answer.frames : []
  const stands = told.filter(({ undo }) => undo !== true).map(({ seq, body }) => ({ seq, body }))
  expect(heardBy(notices, "trades")).toEqual(stands)
  expect(stands.length).toBeGreaterThan(100)
  await lane.stop()
})
