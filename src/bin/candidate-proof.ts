/**
 * Candidates of a chain's facts: off until the chain proves them. What it proved once is kept
 * beside the log (`<kind>/<key>.json`), since tables depend on it: every command that folds reads
 * it, and only `start` asks chains, for what is not proven yet.
 */
import { join } from "node:path"
import { Effect, Result, Schema } from "effect"
import type { SourceError } from "../../streams/source.ts"
import type { Endpoints } from "../../streams/sources/evm-rpc/endpoints.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { exists, makeFolder, readText, replaceFile } from "../platform/files.ts"
import type { RpcError } from "../platform/rpc-error.ts"

/** How long a start waits for a chain's first word: one that is silent holds up the API. */
export const FIRST_PATIENCE = "2 seconds"
/** How long it waits for the others. */
export const PATIENCE = "8 seconds"

export interface Check {
  readonly state: "proven" | "refuted" | "unproven"
  readonly reason: string
}

/** One kind of candidates: where they stand among a chain's facts, and what proves one. */
export interface CandidateProof<Candidate, C extends Check> {
  /** what they are, and the folder of what was proven */
  readonly name: "venues" | "routers"
  /** what was kept, from its text */
  readonly read: (text: string) => Result.Result<ReadonlyArray<C>, Error>
  readonly open: (chain: ChainConfig) => ReadonlyArray<Candidate>
  /** the chain with the candidates on that the checks prove */
  readonly applied: (chain: ChainConfig, checks: ReadonlyArray<C>) => ChainConfig
  readonly check: (
    endpoints: Endpoints,
    candidate: Candidate,
    head: number
  ) => Effect.Effect<C, RpcError | SourceError>
  readonly unasked: (candidate: Candidate, reason: string) => C
  /** how a message names one */
  readonly told: (check: C) => string
}

class KeptProofsError extends Schema.TaggedError<KeptProofsError>()("KeptProofsError", {
  message: Schema.String
}) {}

const fileOf = (name: string, folder: string, { key }: ChainConfig) =>
  join(folder, name, `${key}.json`)

/** What the chain has proven so far. */
export const keptProofs = <A, C extends Check>(
  proof: CandidateProof<A, C>,
  chain: ChainConfig,
  folder: string
) =>
  Effect.gen(function* () {
    const file = fileOf(proof.name, folder, chain)
    if (!(yield* exists(file))) return []
    const kept = proof.read(yield* readText(file))
    if (Result.isSuccess(kept)) return kept.success
    return yield* new KeptProofsError({ message: `${file}: ${kept.failure.message}` })
  })

/** Asks about each candidate; one that is not answered is unproven. */
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

/** What the chain said of its candidates, in a few words. */
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

/** Keeps what it proved, and gives the chain with it. */
export const takeChecks = <A, C extends Check>(
  proof: CandidateProof<A, C>,
  chain: ChainConfig,
  folder: string,
  kept: ReadonlyArray<C>,
  checks: ReadonlyArray<C>
) =>
  Effect.gen(function* () {
    const all = [...kept, ...checks]
    const proven = all.filter(({ state }) => state === "proven")
    if (proven.length > kept.length) {
      yield* makeFolder(join(folder, proof.name))
      const text = `${JSON.stringify(proven, null, 2)}\n`
      yield* replaceFile(fileOf(proof.name, folder, chain), text)
    }
    return proof.applied(chain, all)
  })
