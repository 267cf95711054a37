/** New blocks for a log that is there: the newest trades of it once more. */
import { randomBytes } from "node:crypto"
import { Effect, Layer, Option } from "effect"
import { openTapeLog, type TapeLog } from "../../engine/log/tape-log.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"

/** Swaps that are looked for from the log's end back. */
const SWAPS_KNOWN = 1000

/** Events of one transaction, of which one is a swap. */
type Trade = ReadonlyArray<Event>

export interface TradeAgain {
  /** the swap to begin with, as answers name it */
  readonly block: number
  readonly logIndex: number
  /** swaps of the new block */
  readonly swaps: number
}

const isSwap = ({ kind }: Event): boolean => kind === "SwapExecuted"

const tradesOf = (events: ReadonlyArray<Event>): ReadonlyArray<Trade> => {
  const byTx = new Map<string, Array<Event>>()
  for (const event of events) {
    if (!isSwap(event) && event.kind !== "ReservesSynced") continue
    const name = `${event.block.number} ${event.tx?.hash}`
    const trade = byTx.get(name) ?? []
    trade.push(event)
    byTx.set(name, trade)
  }
  return [...byTx.values()].filter(trade => trade.some(isSwap))
}

/** The newest trades of a log, oldest first. */
const newestTrades = (log: TapeLog) =>
  Effect.gen(function* () {
    let trades: ReadonlyArray<Trade> = []
    for (let seq = log.position().seq; seq > 0 && trades.length < SWAPS_KNOWN; ) {
      const segment = yield* log.segmentAt(seq)
      if (Option.isNone(segment)) break
      trades = [...tradesOf(eventsOf(segment.value.batch)), ...trades]
      seq = segment.value.header.firstSeq - 1
    }
    return trades
  })

const randomHash = (): string => `0x${randomBytes(32).toString("hex")}`

/** Trades from the one that is asked for on, in a block of their own. */
const blockOf = (trades: ReadonlyArray<Trade>, asked: TradeAgain, block: BlockRef) => {
  const first = trades.findIndex(trade =>
    trade.some(
      event =>
        isSwap(event) && event.block.number === asked.block && event.logIndex === asked.logIndex
    )
  )
  if (first < 0) throw new Error(`no swap ${asked.logIndex} of block ${asked.block} at the end`)
  const events: Array<Event> = []
  for (let i = 0; i < asked.swaps; i++) {
    const trade = trades[(first + i) % trades.length] as Trade
    const hash = randomHash()
    for (const event of trade) {
      const tx = event.tx === null ? null : { ...event.tx, hash, index: i }
      events.push({ ...event, block, tx, logIndex: events.length })
    }
  }
  const sealed = { kind: "BlockSealed", block, tx: null, logIndex: 0 } as const
  return [...events, { ...sealed, logs: events.length, grade: "file" } satisfies Event]
}

/** Opens the log for appending; what it gives appends a block on top and gives its position. */
export const openTradeAgain = (chain: string, natsUrl: string) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(JetStream.layer({ url: natsUrl }))
    const log = yield* Effect.provide(openTapeLog(chain), context)
    const trades = yield* newestTrades(log)
    return (asked: TradeAgain, last: { readonly block: number; readonly time: number }) => {
      const [number, time] = [last.block + 1, last.time + 2]
      const block = { number, time, hash: randomHash(), parentHash: null }
      return log.append(batchOf(blockOf(trades, asked, block)))
    }
  })
