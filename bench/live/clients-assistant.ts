/** The readers of a live socket, in a process of their own. */
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { assist } from "../measure/assist.ts"
import { quantile } from "../measure/quantile.ts"
import { Crowd, nowMs } from "./crowd.ts"
import { CHANNELS_EACH, messagesOf, type Recorded, rawTopic, type Subscriptions } from "./topics.ts"

export interface ClientsInput {
  readonly port: number
  readonly path: string
  readonly connections: number
}

/** Files of a process beside its sockets. */
const OTHER_FILES = 200
/** Sockets whose subscriptions are under way at the same time. */
const SUBSCRIBING = 1000

const TRADE = "t".charCodeAt(0)

let crowd = new Crowd(0)
let connections = 0
let tokens: ReadonlyArray<string> = []

const openFiles = (): number => {
  const found = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))
  return found === null ? Number.POSITIVE_INFINITY : Number(found[1])
}

const open = (input: ClientsInput) =>
  Effect.gen(function* () {
    const needed = input.connections + OTHER_FILES
    const allowed = openFiles()
    if (allowed < needed) {
      const message =
        `${input.connections} sockets need ${needed} open files, of which this shell allows ` +
        `${allowed}: run ulimit -n ${needed} before, or give fewer --connections`
      return yield* Effect.die(new Error(message))
    }
    crowd = new Crowd(input.port)
    connections = input.connections
    const paths = Array.from({ length: connections }, () => input.path)
    yield* Effect.promise(() => crowd.open(paths))
  })

const subscribe = ({ tokens: asked, ...topics }: Subscriptions) =>
  Effect.promise(async () => {
    tokens = asked
    // readers of one token after the other's
    const places = Array.from({ length: connections }, (_, place) => place)
    places.sort((a, b) => (a % tokens.length) - (b % tokens.length))
    for (let done = 0; done < connections; ) {
      const wave = places.slice(done, done + SUBSCRIBING)
      for (const place of wave) {
        const token = tokens[place % tokens.length] as string
        for (const message of messagesOf(topics, token)) crowd.send(place, message)
      }
      done += wave.length
      await crowd.until("subscribed", done * CHANNELS_EACH)
    }
  })

const counts = () => Effect.succeed(crowd.counts)

const QUIET_MS = 1000

/** Waits until nothing has come for a while. */
const untilQuiet = () =>
  Effect.gen(function* () {
    for (let before = -1; before !== crowd.counts.trades; ) {
      before = crowd.counts.trades
      yield* Effect.sleep(QUIET_MS)
    }
  })

const untilTrades = (count: number) => Effect.promise(() => crowd.until("trades", count))

/** of each batch, in the order in which they came */
let recorded: Array<Array<Recorded>> = []

/**
 * Keeps what comes from now on: trades as the first reader gets them, candles and prices as the
 * first reader of each token does. A batch begins with so many trades.
 */
const record = (tradesEach: number) =>
  Effect.sync(() => {
    recorded = []
    const trades = tokens.map(() => 0)
    crowd.onFrame = (place, kind, chunk, from, to) => {
      if (place >= tokens.length) return
      const had = trades[place] as number
      if (kind === TRADE) trades[place] = had + 1
      if (kind === TRADE && place > 0) return
      const batch = Math.floor((kind === TRADE ? had : Math.max(0, had - 1)) / tradesEach)
      const body = chunk.toString("utf8", from, to)
      const topic =
        kind === TRADE
          ? rawTopic("trades")
          : rawTopic(body.includes('"channel":"candles"') ? "candles" : "prices", tokens[place])
      const kept = recorded[batch] ?? []
      recorded[batch] = kept
      kept.push({ topic, body })
    }
  })

const stopRecording = () =>
  Effect.sync(() => {
    crowd.onFrame = null
    return recorded
  })

const BLOCK = '"block":'
/** of each trade: its block, and when it came */
let blocks = new Uint32Array(0)
let arrivals = new Float64Array(0)
let timed = 0

/** Keeps the times of so many trades at most. */
const time = (most: number) =>
  Effect.sync(() => {
    blocks = new Uint32Array(most)
    arrivals = new Float64Array(most)
    timed = 0
    crowd.onFrame = (_, kind, chunk, from, to) => {
      if (kind !== TRADE || timed === most) return
      let at = chunk.subarray(from, to).indexOf(BLOCK) + from + BLOCK.length
      let block = 0
      for (
        let digit = chunk[at] as number;
        digit >= 48 && digit <= 57;
        digit = chunk[++at] as number
      )
        block = block * 10 + digit - 48
      blocks[timed] = block
      arrivals[timed++] = nowMs()
    }
  })

export interface Times {
  readonly n: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** From when each block was handed to the log, by its number, to its frames. */
const times = (handed: ReadonlyArray<readonly [block: number, at: number]>) =>
  Effect.sync(() => {
    const at = new Map(handed)
    const found = arrivals.subarray(0, timed).map((arrival, i) => {
      return arrival - (at.get(blocks[i] as number) ?? Number.NaN)
    })
    const known = found.filter(ms => !Number.isNaN(ms))
    const of = (q: number) => quantile(known, q)
    return { n: known.length, p50: of(0.5), p99: of(0.99), max: of(1) } satisfies Times
  })

const close = () => Effect.sync(() => crowd.close())

assist({
  ...{ open, subscribe, counts, untilTrades, untilQuiet, close },
  ...{ record, stopRecording, time, times }
})
