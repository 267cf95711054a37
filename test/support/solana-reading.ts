/** What a source of Solana gave out, put together as a log would. */
import { Effect, Fiber, Stream } from "effect"
import type { SolanaBatch, SolanaBlock } from "../../streams/solana/block.ts"
import type { LateReading, LogTail } from "../../streams/source.ts"
import { type SolanaRpcSource, solanaRpcSource } from "../../streams/sources/solana-rpc/source.ts"

export const EMPTY_TAIL: LogTail = { blocks: [], knownPools: [], knownTokens: [] }

/** The chain that batches tell; fails where one does not continue it, or a rollback names none. */
export class ReadChain {
  blocks: Array<SolanaBlock> = []
  rollbacks = 0

  take(batch: SolanaBatch): void {
    for (const [at, one] of batch.entries()) {
      const last = this.blocks[this.blocks.length - 1]
      if (one._tag === "Rollback") {
        const to = this.blocks.find(({ slot }) => slot === one.toBlock)
        // before the first block there is nothing to name
        const isNamed =
          to === undefined
            ? one.toBlock < this.blocks[0]!.slot
            : to.hash === one.toHash && to.timeSeconds === one.toTime
        if (at !== 0 || !isNamed || last?.slot !== one.fromBlock)
          throw new Error(`a rollback to ${one.toBlock} from ${one.fromBlock} after ${last?.slot}`)
        this.rollbacks++
        this.blocks = this.blocks.filter(({ slot }) => slot <= one.toBlock)
      } else if (one._tag === "Block") {
        if (last !== undefined && (last.hash !== one.parentHash || last.slot !== one.parentSlot))
          throw new Error(`slot ${one.slot} on ${one.parentSlot} after ${last.slot}`)
        this.blocks.push(one)
      }
    }
  }
}

export const openSource = (
  endpoints: ReadonlyArray<string>,
  programs: ReadonlyArray<string> = [],
  start: number | null = null,
  timeoutMs = 3_000,
  pollMs = 20
): SolanaRpcSource =>
  Effect.runSync(
    solanaRpcSource({
      ...{ endpoints, programs, start, genesisHash: null },
      rpc: { timeoutMs, maxAnswerBytes: 10_000_000 },
      retry: { firstMs: 2, longestMs: 40, others: 0.05 },
      pollMs
    })
  )

export interface Following {
  readonly chain: ReadChain
  /** what ended it: an error's message; null while it goes on */
  readonly ended: () => string | null
  readonly stop: () => Promise<void>
}

/** Follows the head, and keeps what came. */
export const followSource = (source: SolanaRpcSource, tail: LogTail = EMPTY_TAIL): Following => {
  const chain = new ReadChain()
  let ended: string | null = null
  const reading = Stream.runForEach(source.batches(tail), batch =>
    Effect.sync(() => chain.take(batch))
  ).pipe(
    Effect.catchCause(cause =>
      Effect.sync(() => {
        ended = String(cause)
      })
    )
  )
  const fiber = Effect.runFork(reading)
  return { chain, ended: () => ended, stop: () => Effect.runPromise(Fiber.interrupt(fiber)) }
}

/** Reads a range, or says why not. */
export const readRange = (
  source: SolanaRpcSource,
  fromBlock: number,
  toBlock: number,
  reading: LateReading = "ranges"
) => {
  const chain = new ReadChain()
  const past = source.past?.({ fromBlock, toBlock }, EMPTY_TAIL, reading) ?? Stream.empty
  return Effect.runPromise(
    Stream.runForEach(past, batch => Effect.sync(() => chain.take(batch))).pipe(
      Effect.as(chain),
      Effect.catch(error => Effect.succeed(error.message))
    )
  )
}
