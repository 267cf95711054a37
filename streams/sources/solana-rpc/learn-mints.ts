/** Asks what new mints say of themselves before the block is written that trades them. */
import { Effect } from "effect"
import type { FactBook, TokenFact } from "../../facts.ts"
import { forgetOldest } from "../../forget-oldest.ts"
import {
  type DecodedBlock,
  mintsOf,
  type SolanaTapeWriter
} from "../../solana/solana-tape-writer.ts"
import type { SolanaRpcSource } from "./source.ts"

/** Mints of one question, and how long a block waits for what all of its mints say. */
const ASKED_AT_ONCE = 200
const WAIT_FOR_TOKENS_MS = 2_000

/** Mints that are remembered as asked for in vain. */
const MOST_OWED = 4096

export interface Learning {
  readonly writer: SolanaTapeWriter
  readonly facts: FactBook
  /** mints of which no node has told yet */
  readonly owed: Set<string>
  readonly tokens: SolanaRpcSource["tokens"]
}

/** Takes over what some mints say of themselves. */
const takeFacts = ({ writer, facts, owed }: Learning, told: ReadonlyArray<TokenFact>): void => {
  for (const fact of told) {
    if (fact.decimals === null) continue
    owed.delete(fact.token)
    if (!writer.knowsToken(fact.token) && facts.token(fact.token) === null) facts.addToken(fact)
    else writer.tellToken(fact)
  }
}

/**
 * Reads what new mints of a block say of themselves, ahead of it: a log that goes on after a kill
 * does not know whose names it lacks. Of those that no node tells of in time decimals are those of
 * balances, and they are asked for again with the next new ones.
 */
export const learnMints = (learning: Learning, block: DecodedBlock) =>
  Effect.gen(function* () {
    const { writer, facts, owed, tokens } = learning
    const isNew = (mint: string) => !writer.knowsToken(mint) && facts.token(mint) === null
    const mints = mintsOf(block).filter(isNew)
    if (mints.length === 0) return
    const asked = [...new Set([...mints, ...owed])]
    for (const mint of mints) owed.add(mint)
    forgetOldest(owed, MOST_OWED)
    yield* Effect.gen(function* () {
      for (let from = 0; from < asked.length; from += ASKED_AT_ONCE) {
        takeFacts(learning, yield* tokens(asked.slice(from, from + ASKED_AT_ONCE)))
      }
    }).pipe(Effect.timeoutOption(WAIT_FOR_TOKENS_MS), Effect.ignore)
  })
