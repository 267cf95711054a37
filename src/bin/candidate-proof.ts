/**
 * Proves the candidates (venues, routers) of a chain's facts, which are off until the chain proves
 * them. Proofs are events of the chain's fact log, since tables depend on them: every command that
 * folds reads them. Only commands that read a chain (`start`, `repair`) query the chain, for
 * candidates without a proof.
 */
import { Effect } from "effect"
import type { ChainFact } from "../../engine/log/fact-log.ts"
import type { BlockRef } from "../../streams/event.ts"
import type { SourceError } from "../../streams/source.ts"
import type { Endpoints } from "../../streams/sources/evm-rpc/endpoints.ts"
import type { ChainConfig } from "../domain/chain.ts"
import type { RpcError } from "../platform/rpc-error.ts"

/** Longest wait for a chain's first answer: a silent chain delays the API's start. */
export const FIRST_PATIENCE = "2 seconds"
/** Longest wait for the check of a candidate, and for all checks of a chain together. */
export const PATIENCE = "8 seconds"

export interface Check {
  readonly state: "proven" | "refuted" | "unproven"
  readonly reason: string
}

/** A kind of candidates: how to find them among a chain's facts, and how to prove one. */
export interface CandidateProof<Candidate, C extends Check> {
  /** name of the kind in messages */
  readonly name: "venues" | "routers"
  /** returns the checks that facts of the log tell of, and the fact that tells of a check */
  readonly checksIn: (facts: ReadonlyArray<ChainFact>) => ReadonlyArray<C>
  readonly factOf: (check: C, block: BlockRef) => ChainFact
  /** returns the candidates without a proof */
  readonly open: (chain: ChainConfig) => ReadonlyArray<Candidate>
  /** returns the chain with the proven candidates turned on */
  readonly applied: (chain: ChainConfig, checks: ReadonlyArray<C>) => ChainConfig
  readonly check: (
    endpoints: Endpoints,
    candidate: Candidate,
    head: number
  ) => Effect.Effect<C, RpcError | SourceError>
  /** returns the unproven check of a candidate that the chain did not answer for */
  readonly unasked: (candidate: Candidate, reason: string) => C
  /** returns a candidate's name for messages */
  readonly told: (check: C) => string
}

/** Checks each candidate with the chain; a candidate without an answer is unproven. */
export const askEach = <A, C extends Check>(
  proof: CandidateProof<A, C>,
  endpoints: Endpoints,
  candidates: ReadonlyArray<A>,
  head: number
) =>
  Effect.forEach(
    candidates,
    candidate =>
      proof.check(endpoints, candidate, head).pipe(
        Effect.catch(error => Effect.succeed(proof.unasked(candidate, error.message))),
        Effect.timeoutOrElse({
          duration: PATIENCE,
          orElse: () => Effect.succeed(proof.unasked(candidate, "the chain did not tell in time"))
        })
      ),
    { concurrency: 8 }
  )

/** Returns a line about the checks of one kind, "" where there are none. */
export const summary = <A, C extends Check>(
  proof: CandidateProof<A, C>,
  checks: ReadonlyArray<C>
) => {
  const parts = (["proven", "refuted", "unproven"] as const).flatMap(state => {
    const found = checks.filter(check => check.state === state)
    if (found.length === 0) return []
    const reasons = [...new Set(found.map(({ reason }) => reason))]
    const why = reasons.length === 1 ? ` (${reasons[0]})` : ""
    const one = found.length === 1 && found[0] !== undefined ? `${proof.told(found[0])} is` : null
    return [`${one ?? `${found.length} ${proof.name} are`} ${state}${why}`]
  })
  return parts.join(", ")
}

/** Returns the facts that tell of new proofs, proven at a block. */
export const newFacts = <A, C extends Check>(
  proof: CandidateProof<A, C>,
  checks: ReadonlyArray<C>,
  block: BlockRef
): ReadonlyArray<ChainFact> =>
  checks.filter(({ state }) => state === "proven").map(check => proof.factOf(check, block))
