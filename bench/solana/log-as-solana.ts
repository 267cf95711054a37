/**
 * The log of an EVM chain written again as Solana's: the same market with accounts of 32 bytes,
 * transactions of 64 and Solana's anchors and venues, so that both lanes fold the same events.
 */
import { createHash } from "node:crypto"
import { Effect, Stream } from "effect"
import { LOG_START } from "../../engine/log/segment.ts"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import { openNats } from "../../src/bin/nats-choice.ts"
import { toBase58 } from "../../src/domain/base58.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"

const VENUES: { readonly [kind: string]: string } = {
  "uniswap-v2": "raydium-cpmm",
  "uniswap-v3": "raydium-clmm"
}

const bytesOf = (text: string, bytes: 32 | 64): string => {
  const hash = createHash(bytes === 32 ? "sha256" : "sha512")
    .update(text)
    .digest()
  return toBase58(hash, 0, bytes)
}

/** How texts of a chain are written on Solana; its anchors are Solana's of the same kind. */
const translation = (from: ChainConfig) => {
  const known = new Map<string, string>()
  for (const { address, kind } of from.anchors) {
    const own = solana.anchors.find(
      one => one.kind === kind && ![...known.values()].includes(one.address)
    )
    if (own !== undefined) known.set(address, own.address)
  }
  const account = (text: string): string => {
    const found = known.get(text) ?? bytesOf(text, 32)
    known.set(text, found)
    return found
  }
  const value = (told: unknown): unknown =>
    Array.isArray(told)
      ? told.map(value)
      : typeof told !== "string"
        ? told
        : /^0x([0-9a-f]{40}|[0-9a-f]{64})$/.test(told)
          ? account(told)
          : (VENUES[told] ?? told)
  return (event: Event): Event => {
    const { block, tx, ...fields } = event
    const own = Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, value(one)]))
    const hash = (text: string | null) => (text === null ? null : bytesOf(text, 32))
    return {
      ...own,
      block: { ...block, hash: hash(block.hash), parentHash: hash(block.parentHash) },
      tx:
        tx === null
          ? null
          : {
              ...{ hash: bytesOf(tx.hash, 64), index: tx.index },
              ...{ from: value(tx.from), to: value(tx.to) }
            }
    } as Event
  }
}

/** Writes Solana's log beside that of `from` in a data folder. */
export const writeAsSolana = (from: ChainConfig, dataFolder: string): Promise<void> =>
  Effect.gen(function* () {
    const { url } = yield* openNats(dataFolder)
    const translated = translation(from)
    const copied = Effect.gen(function* () {
      const source = yield* openTapeLog(from.key)
      const log = yield* openTapeLog(solana.key)
      const batches = source
        .read(LOG_START, { follow: false })
        .pipe(Stream.map(({ batch }) => batchOf(eventsOf(batch).map(translated))))
      yield* Stream.runDrain(log.appendAll(batches))
    })
    yield* Effect.provide(copied, JetStream.layer({ url }))
  }).pipe(Effect.scoped, Effect.runPromise)
