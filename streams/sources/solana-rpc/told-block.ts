/** What an endpoint tells of the block of a slot, where its answer is well formed. */
import { Effect } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { BlockDetails, Certainty, SolanaEndpoint } from "../../../src/platform/solana-rpc.ts"
import { SOLANA_CODES } from "../../../src/platform/solana-rpc-error.ts"
import { isYetToCome } from "../../../src/platform/wall-clock.ts"
import type { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import type { ProgramNames } from "../../solana/transaction/program-names.ts"
import { type AnsweredBlock, readAnsweredBlock } from "../../solana/transaction/read-answer.ts"
import { wrongAnswer } from "./wrong-answer.ts"

/** What is one of several endpoints: the endpoint, and how it fares. */
export interface Seat {
  readonly endpoint: SolanaEndpoint
  readonly health: EndpointHealth
}

/** A block, and the place of the endpoint that told it. */
export interface ToldBlock {
  readonly _tag: "Told"
  readonly block: AnsweredBlock
  readonly by: number
}

/**
 * No endpoint that answers has the block. `gone`: they say that it is older than what they keep;
 * else it may be too new, skipped, or missing.
 */
export interface Untold {
  readonly _tag: "Untold"
  readonly gone: boolean
  /** they say that the slot has none */
  readonly skipped: boolean
  readonly reason: string
}

const GONE: ReadonlySet<number> = new Set([
  SOLANA_CODES.cleanedUp,
  SOLANA_CODES.noHistory,
  SOLANA_CODES.storageUnreachable
])

const SKIPPED: ReadonlySet<number> = new Set([SOLANA_CODES.skipped, SOLANA_CODES.skippedInStorage])

/** Answers differ in size by what is told of a block. */
export const blockKind = (details: BlockDetails): string => `getBlock (${details})`

/** Where an endpoint has cleaned a block up it says which is the first that it still has. */
const FIRST_KEPT = /first available block: (\d+)/i

/** Notes which blocks an endpoint has no more: none up to one that it says is too old. */
const noteGone = (health: EndpointHealth, slot: number, message: string) => {
  const first = Number(FIRST_KEPT.exec(message)?.[1] ?? 0)
  return Effect.map(steadyMillis, now => health.keepsFrom(Math.max(slot + 1, first), now))
}

interface Wanted {
  readonly details: BlockDetails
  readonly certainty: Certainty
}

const untold = (
  { health }: Seat,
  slot: number,
  { code = 0, message }: RpcError
): Effect.Effect<Untold> => {
  const gone = GONE.has(code)
  const said: Untold = { _tag: "Untold", gone, skipped: SKIPPED.has(code), reason: message }
  return gone ? Effect.as(noteGone(health, slot, message), said) : Effect.succeed(said)
}

/** What is wrong with a block that an endpoint tells of a slot, in words; null where nothing is. */
const wrongIn = ({ parentSlot, signatures, timeSeconds }: AnsweredBlock, slot: number) => {
  if (parentSlot >= slot) return `slot ${slot} has a later block as its parent`
  if (new Set(signatures).size < signatures.length) {
    return `slot ${slot} is told with a transaction twice`
  }
  return timeSeconds !== null && isYetToCome(timeSeconds)
    ? `slot ${slot} is told to be of second ${timeSeconds}, which is yet to come`
    : null
}

/** Asks an endpoint, at a place among them, for the block of a slot. */
export const askBlock = (
  seat: Seat,
  by: number,
  slot: number,
  { details, certainty }: Wanted,
  names: ProgramNames
): Effect.Effect<ToldBlock | Untold, RpcError> => {
  const { endpoint } = seat
  return endpoint.getBlock(slot, details, certainty).pipe(
    Effect.flatMap((body): Effect.Effect<ToldBlock | Untold, RpcError> => {
      const block = readAnsweredBlock(body, 0, body.length, names, slot)
      if (block._tag === "NoBlockScanned") return endpoint.refusal("getBlock", body)
      if (block._tag === "UnreadableBlock") {
        const { isJson, reason } = block
        return isJson ? wrongAnswer(seat, "getBlock", reason) : endpoint.refusal("getBlock", body)
      }
      const wrong = wrongIn(block, slot)
      return wrong === null
        ? Effect.succeed({ _tag: "Told", block, by })
        : wrongAnswer(seat, "getBlock", wrong)
    }),
    Effect.catchIf(
      ({ kind }) => kind === "no-state",
      error => untold(seat, slot, error)
    )
  )
}
