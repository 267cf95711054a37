/** Batches of frames to many sockets, as fast as these take them: the engine's and raw ones. */
import type { TradeAgain } from "../engine/trade-again.ts"
import type { Assistant } from "../measure/assistant.ts"
import { mainThreadSeconds } from "../measure/memory.ts"
import { say } from "../measure/words.ts"
import { figure } from "../report.ts"
import { type Counts, nowMs } from "./crowd.ts"
import type { Recorded } from "./topics.ts"

export interface Side {
  readonly server: Assistant
  readonly clients: Assistant
}

export interface FanOut {
  /** what readers got, all of them together */
  readonly frames: number
  readonly perSecond: number
  /** of the thread that serves */
  readonly perProcessorSecond: number
}

export interface Round {
  readonly ours: FanOut
  readonly raw: FanOut
}

export interface Load {
  readonly connections: number
  readonly rounds: number
  readonly blocks: ReadonlyArray<TradeAgain>
}

/** Batches that are handed out before the first of them has reached all sockets. */
const UNDER_WAY = 4

/** Hands batches to a server, and measures until their last trade has reached all sockets. */
const handOut = async (
  { server, clients }: Side,
  { connections, blocks }: Load,
  hand: (batch: number) => Promise<unknown>
): Promise<FanOut> => {
  const before = await clients.ask<Counts>("counts")
  const [began, processor] = [nowMs(), mainThreadSeconds(server.pid)]
  let trades = before.trades
  const due: Array<number> = []
  for (const [batch, { swaps }] of blocks.entries()) {
    trades += swaps * connections
    due.push(trades)
    await hand(batch)
    const waited = due[batch + 1 - UNDER_WAY]
    if (waited !== undefined) await clients.ask("untilTrades", waited)
  }
  const { at, frames } = await clients.ask<Counts & { at: number }>("untilTrades", trades)
  const sent = frames - before.frames
  const seconds = mainThreadSeconds(server.pid) - processor
  return {
    frames: sent,
    perSecond: (sent / (at - began)) * 1000,
    perProcessorSecond: sent / seconds
  }
}

const ratioOf = ({ ours, raw }: Round): number => ours.perSecond / raw.perSecond

/**
 * The round whose ratio is the median of all. In each, raw uWebSockets is given the very frames
 * that the engine's readers just got.
 */
export const fanOut = async (engine: Side, baseline: Side, load: Load): Promise<Round> => {
  const rounds: Array<Round> = []
  const [{ swaps } = { swaps: 0 }] = load.blocks
  for (let i = 0; i < load.rounds; i++) {
    await engine.clients.ask("record", swaps)
    const ours = await handOut(engine, load, batch =>
      engine.server.ask("append", load.blocks[batch])
    )
    const frames = await engine.clients.ask<ReadonlyArray<ReadonlyArray<Recorded>>>("stopRecording")
    await baseline.server.ask("take", frames)
    const raw = await handOut(baseline, load, batch => baseline.server.ask("publish", batch))
    rounds.push({ ours, raw })
    say(`${figure(ours.perSecond)} frames/s beside ${figure(raw.perSecond)}`)
  }
  const sorted = rounds.sort((a, b) => ratioOf(a) - ratioOf(b))
  return sorted[sorted.length >> 1] as Round
}
