/** Asks what new mints say of themselves before the block is written that trades them. */
import { Effect, Option } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { FactBook, TokenFact } from "../../facts.ts"
import { type DecodedBlock, mintsOf } from "../../solana/decoded-block.ts"
import type { SolanaTapeWriter } from "../../solana/solana-tape-writer.ts"
import { OwedMints } from "./owed-mints.ts"
import type { SolanaRpcSource } from "./source.ts"

/** Mints of one question, and how long a block waits for what all of its mints say. */
const ASKED_AT_ONCE = 200
const WAIT_FOR_TOKENS_MS = 2_000

/** How long no block waits after one that waited in vain: slots go on meanwhile. */
const REST_MS = 30_000

/** Mints of which what was read of the past tells, and no node had told, with their decimals. */
export type PastMints = Map<string, number | null>

/** Of those so many are owed at once: as many as one question takes, and those of blocks beside. */
const MOST_OF_PAST = ASKED_AT_ONCE

export class Learning {
  readonly writer: SolanaTapeWriter
  readonly facts: FactBook
  readonly tokens: SolanaRpcSource["tokens"]
  /** mints of which no node has told yet */
  readonly owed = new OwedMints()
  /** mints of the past that are still to be asked for, once those of blocks are */
  readonly past: PastMints
  /** by the steady clock: until then nothing is asked */
  restsUntilMs = 0

  constructor(
    writer: SolanaTapeWriter,
    facts: FactBook,
    tokens: SolanaRpcSource["tokens"],
    past: PastMints = new Map()
  ) {
    this.writer = writer
    this.facts = facts
    this.tokens = tokens
    this.past = past
  }

  isNew(mint: string): boolean {
    return !this.writer.knowsToken(mint) && this.facts.token(mint) === null
  }
}

/** Takes over what some mints say of themselves. */
const takeFacts = (learning: Learning, told: ReadonlyArray<TokenFact>): void => {
  const { writer, facts, owed, past } = learning
  for (const fact of told) {
    if (fact.decimals === null) owed.missing(fact.token)
    else {
      owed.told(fact.token)
      if (past.delete(fact.token)) writer.knowsOfPast(fact.token)
      if (learning.isNew(fact.token)) facts.addToken(fact)
      else writer.tellToken(fact)
    }
  }
}

/** Decimals of mints as a block tells them beside balances. */
const decimalsIn = ({ transactions }: DecodedBlock): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const one of transactions) {
    if ("unread" in one) continue
    for (const { mint, decimals } of one.transaction.tokenBalances.values()) {
      found.set(mint, decimals)
    }
  }
  return found
}

/** Owes mints of the past, where few are owed. */
const owePast = ({ owed, past }: Learning): void => {
  if (owed.size >= MOST_OF_PAST) return
  for (const [mint, decimals] of past) {
    if (owed.size >= MOST_OF_PAST) return
    owed.add(mint, decimals)
  }
}

/** Asks for mints, and takes over what nodes tell in time; false where they did not tell of all. */
const askFor = (learning: Learning, mints: ReadonlyArray<string>): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    for (let from = 0; from < mints.length; from += ASKED_AT_ONCE) {
      const some = mints.slice(from, from + ASKED_AT_ONCE)
      learning.owed.ask(some, yield* steadyMillis)
      takeFacts(learning, yield* learning.tokens(some, learning.owed.decimalsOf(some)))
    }
  }).pipe(
    Effect.timeoutOption(WAIT_FOR_TOKENS_MS),
    Effect.map(Option.isSome),
    Effect.orElseSucceed(() => false)
  )

/**
 * Reads what new mints of a block say of themselves, ahead of it: a log that goes on after a kill
 * does not know whose names it lacks. Of those that no node tells of in time decimals are those of
 * balances, and they are asked for later, ahead of another block. Where nodes did not answer, no
 * block waits for a while, or the head would fall behind.
 */
export const learnMints = (learning: Learning, block: DecodedBlock): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { owed } = learning
    const mints = mintsOf(block).filter(mint => learning.isNew(mint))
    const decimals = decimalsIn(block)
    for (const mint of mints) owed.add(mint, decimals.get(mint) ?? null)
    owePast(learning)
    const now = yield* steadyMillis
    if (now < learning.restsUntilMs) return
    const first = mints.filter(mint => owed.isDue(mint, now))
    const asked = [...new Set([...first, ...owed.due(now, ASKED_AT_ONCE)])]
    if (asked.length === 0 || (yield* askFor(learning, asked))) return
    learning.restsUntilMs = (yield* steadyMillis) + REST_MS
  })
