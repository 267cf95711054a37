/** Worker thread of a source: reads a chain, decodes its logs, appends the events to the log. */
import { Effect, Schedule } from "effect"
import { PULSE_MS } from "../../engine/lane/lane-watch.ts"
import {
  type KnownMarks,
  type LateStatus,
  newLateStatus,
  readLedgers
} from "../../engine/late/late-log.ts"
import { runWithLate } from "../../engine/late/run-late.ts"
import { openTapeLog, type TapeLog } from "../../engine/log/tape-log.ts"
import { Said, type SaidLately, saidLately } from "../../streams/endpoints/said.ts"
import {
  type KnownFacts,
  type Source,
  SourceError,
  type SourceStatus,
  type WantedState
} from "../../streams/source.ts"
import { tailBlocksOf } from "../../streams/sources/evm-rpc/open-lane.ts"
import { evmRpcSource } from "../../streams/sources/evm-rpc/source.ts"
import { solanaTapeSource } from "../../streams/sources/solana-rpc/tape-source.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { JetStream } from "../platform/jetstream.ts"
import { GOES_ON, wantOfRoom } from "../platform/room.ts"
import { followsHere } from "../platform/thread-priority.ts"
import { parent, workerInput } from "../platform/worker.ts"
import type { Backfill } from "./settings.ts"
import { runWorker } from "./worker-main.ts"

export interface SourceInput {
  readonly chain: ChainConfig
  readonly natsUrl: string
  readonly endpoints: ReadonlyArray<string>
  readonly start: string | null
  readonly devchain: boolean
  readonly facts: KnownFacts
  /** what the tables that gave `facts` know besides */
  readonly marks: KnownMarks
  readonly backfill: Backfill
  /** tokens to pin, and tokens that nobody may pin; lower-case addresses */
  readonly pins: ReadonlyArray<string>
  readonly unpins: ReadonlyArray<string>
  /** what the source before has said lately */
  readonly said: SaidLately
  readonly json: boolean
}

export type ToSource =
  | { readonly type: "stop" }
  /** pins tokens that requests want */
  | { readonly type: "pin"; readonly tokens: ReadonlyArray<string> }
  /** pools whose states the router wants; asked again, so what comes too early is left */
  | { readonly type: "states"; readonly wanted: ReadonlyArray<WantedState> }
export type FromSource =
  | { readonly type: "status"; readonly status: SourceStatus; readonly said: SaidLately }
  /** shows that the thread lives, even while it waits for the log */
  | { readonly type: "pulse" }

const input = workerInput<SourceInput>()
const port = parent<ToSource, FromSource>()
const said = saidLately(input.said)

/** Tokens that requests wanted to pin before the source was open. */
const early: Array<string> = []
let ask = (tokens: ReadonlyArray<string>): void => {
  early.push(...tokens)
}
let readStates = (_: ReadonlyArray<WantedState>): void => {}
port.onMessage(message => {
  if (message.type === "pin") ask(message.tokens)
  if (message.type === "states") readStates(message.wanted)
})

/** Returns the blocked state where events cannot be stored in the log now; null where they can. */
const storing = (log: TapeLog): Pick<SourceStatus, "state" | "problem"> | null => {
  const delay = log.delay()
  if (delay === null) return null
  const want = wantOfRoom(delay, "the folder of the log")
  return {
    state: "blocked",
    problem:
      want === null
        ? `what is read cannot be stored in the log (${delay}); it is tried again`
        : `${want}${GOES_ON}`
  }
}

const report = (source: Source, log: TapeLog, late: LateStatus) =>
  Effect.sync(() => {
    const status = { ...source.status(), ...storing(log) }
    const history = late.history ?? status.history
    const { repairs, pins } = late
    const told = { ...status, history, repairs, pins }
    port.post({ type: "status", status: told, said: said.said })
  })

/**
 * Fails where the log ends before the tables. The tables then know facts of the lost part, so the
 * source would never emit those facts again.
 */
const mustHold = (log: TapeLog) =>
  log.position().seq >= input.marks.at
    ? Effect.void
    : new SourceError({
        message: `the log ends at ${log.position().seq}, before the tables' ${input.marks.at}: waiting until they have gone back`,
        fatal: false
      })

/** Returns a reader of the log's blocks before its tail, by highest block and count. */
const olderBlocks = (log: TapeLog) => (atMost: number, count: number) =>
  log
    .blocksUpTo(atMost, count)
    .pipe(Effect.mapError(({ message }) => new SourceError({ message, fatal: false })))

const pulse = Effect.sync(() => port.post({ type: "pulse" })).pipe(
  Effect.repeat(Schedule.spaced(PULSE_MS))
)

const solanaSource = ({ chain, endpoints, start, devchain }: SourceInput) =>
  solanaTapeSource({
    endpoints,
    start: start === null || start === "latest" ? null : Number(start),
    genesisHash: devchain ? null : (chain.genesisHash ?? null),
    devchain
  })

const evmSource = ({ chain, endpoints, start, devchain, backfill, unpins, marks }: SourceInput) =>
  evmRpcSource({
    ...{ chain, endpoints, start, devchain, unpins },
    fits: marks.fits,
    pastBeside: backfill.from !== null,
    proveHistory: backfill.prove
  })

const SOURCES = { evm: evmSource, solana: solanaSource } as const

/** The source of the chain's family; `start` is a number or `latest`, which null means too. */
const sourceOf = (input: SourceInput) => SOURCES[input.chain.family ?? "evm"](input)

const program = Effect.gen(function* () {
  const log = yield* openTapeLog(input.chain.key, {
    keepBlocks: Math.max(1024, tailBlocksOf(input.chain))
  })
  yield* mustHold(log)
  const source = yield* sourceOf(input)
  const late = newLateStatus()
  // A failing source's last status holds the reason.
  yield* Effect.addFinalizer(() => report(source, log, late))
  yield* report(source, log, late).pipe(
    Effect.repeat(Schedule.spaced("500 millis")),
    Effect.forkScoped
  )
  source.pinning?.ask(input.pins)
  const ledgers = yield* readLedgers(log, input.marks, input.chain)
  // A token whose pin was taken back is pinned again by a setting only, never by a request.
  ask = tokens => source.pinning?.ask(tokens.filter(token => !ledgers.pins.isUnpinned(token)))
  ask(early)
  readStates = wanted => source.readStates?.(wanted)
  const tail = {
    blocks: yield* log.tailBlocks(tailBlocksOf(input.chain)),
    older: olderBlocks(log),
    ...input.facts,
    pinned: ledgers.pins.known,
    unpinned: ledgers.pins.unpinned
  }
  const { from, order, prove } = input.backfill
  const options = {
    chain: input.chain,
    log,
    source,
    ...ledgers,
    floor: from,
    order,
    reading: prove ? "proofs" : "ranges"
  } as const
  yield* runWithLate(options, tail, late)
}).pipe(Effect.provideService(Said, said), Effect.provide(JetStream.layer({ url: input.natsUrl })))

const following = Effect.andThen(followsHere, Effect.forkScoped(pulse))

runWorker(port, input.json, Effect.andThen(following, program))
