/** Runs an RPC source against fake nodes and compares its log with the scripted chain. */

import { Effect, Exit, Fiber, Logger, Stream } from "effect"
import type { Address } from "../../src/domain/address.ts"
import { fromHex } from "../../src/domain/address.ts"
import { base } from "../../src/domain/chains/base.ts"
import type { Event } from "../../streams/event.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { transferDecoder } from "../../streams/evm/chain-decoder.ts"
import { evmDecoder } from "../../streams/evm/decoder.ts"
import type { LogDecoder } from "../../streams/evm/log-decoder.ts"
import { LogTapeWriter } from "../../streams/evm/log-tape-writer.ts"
import { PinnedTokens } from "../../streams/evm/pinned-tokens.ts"
import { FactBook } from "../../streams/facts.ts"
import { openGaps } from "../../streams/open-gaps.ts"
import type { LogTail, Source, SourceError } from "../../streams/source.ts"
import { type EvmRpcOptions, evmRpcSource } from "../../streams/sources/evm-rpc/source.ts"
import { testChain } from "./chain-config.ts"
import { type FakeChain, rpcLogs } from "./fake-chain.ts"
import { FACTORY } from "./fake-market.ts"
import { PATIENCE_MS } from "./patience.ts"
import { effective, emptyTail, rawLog, tailOf } from "./tape-input.ts"

export const rpcChain = {
  ...testChain,
  finalityDepth: 20,
  blockTimeMs: 20,
  venues: [{ id: "uniswap_v2", kind: "uniswap-v2", factory: FACTORY as Address, feeBps: 25 }]
}

export type RunOptions = Partial<EvmRpcOptions> & {
  readonly endpoints: ReadonlyArray<string>
  /** tokens that are pinned before anything is read */
  readonly pins?: ReadonlyArray<string>
  /** so many blocks of the log are known at the start, the others are read from it; else all */
  readonly tailBlocks?: number
}

/** Everything fast, for nodes on this machine. */
export const fastOptions = (options: RunOptions): EvmRpcOptions => ({
  chain: rpcChain,
  start: "0",
  rpc: { timeoutMs: 5000, maxAnswerBytes: 2 ** 24 },
  retry: { firstMs: 5, longestMs: 60, others: 0.1 },
  pollMs: 5,
  ...options
})

/** A running source. */
export interface RpcRun {
  readonly events: ReadonlyArray<Event>
  /** what it wrote to the log */
  readonly lines: ReadonlyArray<string>
  readonly error: () => SourceError | null
  readonly status: () => ReturnType<Source["status"]>
  /** resolves when the log stands at the chain's head, or after `timeoutMs` */
  readonly reach: (chain: FakeChain, timeoutMs?: number) => Promise<boolean>
  /** resolves when the source ended by itself */
  readonly ended: Promise<SourceError | null>
  readonly stop: () => Promise<void>
  readonly tail: () => LogTail
  /** asks for states of pools */
  readonly readStates: NonNullable<Source["readStates"]>
}

/** The sealed blocks of a log whose first event has seq 1. */
const withSeqs = (events: ReadonlyArray<Event>): LogTail["blocks"] => {
  const seqs = new Map(events.map((event, i) => [event, i + 1] as const))
  return effective(events).flatMap(event => {
    const { number, hash, time } = event.block
    return event.kind === "BlockSealed" ? [{ number, hash, time, seq: seqs.get(event) ?? 0 }] : []
  })
}

export const startRun = async (
  options: RunOptions,
  before: ReadonlyArray<Event> = []
): Promise<RpcRun> => {
  const source = await Effect.runPromise(evmRpcSource(fastOptions(options)))
  source.pinning?.ask(options.pins ?? [])
  const events: Array<Event> = [...before]
  const whole = before.length === 0 ? emptyTail : tailOf(before, options.chain ?? rpcChain)
  const older: NonNullable<LogTail["older"]> = (atMost, count) =>
    Effect.sync(() =>
      withSeqs(events)
        .filter(({ number }) => number <= atMost)
        .slice(-count)
    )
  const { tailBlocks } = options
  const tail =
    tailBlocks === undefined ? whole : { ...whole, blocks: whole.blocks.slice(-tailBlocks), older }
  let error: SourceError | null = null
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => {
    lines.push(String(message))
  })
  const fiber = Effect.runFork(
    Stream.runForEach(source.batches(tail), batch =>
      Effect.sync(() => {
        events.push(...eventsOf(batch))
      })
    ).pipe(Effect.provide(Logger.layer([logger], { mergeWithExisting: true })))
  )
  const ended = Effect.runPromise(Fiber.await(fiber)).then(exit => {
    const found = Exit.findErrorOption(exit)
    error = found._tag === "Some" ? found.value : null
    if (Exit.isFailure(exit) && error === null && !Exit.hasInterrupts(exit)) throw exit.cause
    return error
  })
  // asked again and again: what is known is taken again until something was added
  let [known, lastBlock] = [-1, tailOf(events).blocks.at(-1)]
  const last = () => {
    if (known !== events.length) {
      known = events.length
      lastBlock = tailOf(events).blocks.at(-1)
    }
    return lastBlock
  }
  return {
    events,
    lines,
    error: () => error,
    status: source.status,
    ended,
    reach: async (chain, timeoutMs = PATIENCE_MS) => {
      const deadline = Date.now() + timeoutMs
      while (Date.now() < deadline && error === null) {
        if (last()?.hash === chain.head.hash) return true
        await new Promise(resolve => setTimeout(resolve, 5))
      }
      return last()?.hash === chain.head.hash
    },
    stop: async () => {
      await Effect.runPromise(Fiber.interrupt(fiber))
      await ended.catch(() => undefined)
    },
    tail: () => tailOf(events, options.chain ?? rpcChain),
    readStates: states => source.readStates?.(states)
  }
}

const readPerfectly = (chain: FakeChain, from: number, decoder: LogDecoder) => {
  const writer = new LogTapeWriter({
    decoder,
    facts: new FactBook(),
    last: null,
    knownPools: [],
    knownTokens: []
  })
  for (const block of chain.blocks.slice(from)) {
    writer.beginBlock(block.number, block.timestamp, fromHex(block.hash), fromHex(block.parentHash))
    let open = -1
    for (const log of rpcLogs(block)) {
      const index = Number(log.transactionIndex)
      const tx = block.txs[index]
      if (index !== open && tx !== undefined) {
        const to = tx.to === null ? null : fromHex(tx.to)
        writer.beginTx(fromHex(tx.hash), index, fromHex(tx.from), to)
        open = index
      }
      writer.log(rawLog(log, Number(log.logIndex)))
    }
    writer.endBlock("truth", true)
  }
  writer.flush()
  const events: Array<Event> = []
  for (let batch = writer.take(); batch !== null; batch = writer.take()) {
    events.push(...eventsOf(batch))
  }
  return events
}

/** What a perfect reader would have logged of the chain: events of logs, block by block. */
export const truthOf = (chain: FakeChain, from = 0): ReadonlyArray<Event> =>
  readPerfectly(chain, from, evmDecoder)

/** All transfers of tokens that the chain has. */
export const transfersOf = (
  chain: FakeChain,
  tokens: ReadonlyArray<string>
): ReadonlyArray<Event> =>
  ofLogs(readPerfectly(chain, 0, transferDecoder(base, new PinnedTokens(tokens))))

const ofLogs = (events: ReadonlyArray<Event>) => events.filter(event => event.tx !== null)

/** The events of logs that stand after all rollbacks. */
export const loggedOf = (events: ReadonlyArray<Event>) => ofLogs(effective(events))

export const truthLogs = (chain: FakeChain, from = 0) => ofLogs(truthOf(chain, from))

/** First blocks of what the log declares unproven, or not there, and nowhere filled. */
export const gapsOf = (events: ReadonlyArray<Event>): ReadonlyArray<number> => {
  const marks = effective(events).flatMap(event => {
    const { kind, block } = event
    if (kind !== "GapFound" && kind !== "GapFilled") return []
    const reason = kind === "GapFound" ? event.reason : null
    const { fromBlock, toBlock } = event
    return [{ open: kind === "GapFound", fromBlock, toBlock, reason, at: block.number }]
  })
  return openGaps(marks).map(({ fromBlock }) => fromBlock)
}
