/**
 * Candidates of the registry: off until their chain proves them. What it proved once is kept beside
 * the log (`venues/<key>.json`), since tables depend on it: every command that folds reads it, and
 * only `start` asks chains, for what is not proven yet.
 */
import { join } from "node:path"
import { Effect, Result, Schema } from "effect"
import { Endpoints } from "../../streams/sources/evm-rpc/endpoints.ts"
import { readQuantity } from "../../streams/sources/evm-rpc/wire.ts"
import { checkVenue } from "../../streams/sources/venue-check/check-venue.ts"
import { StatusBoard } from "../../streams/status-board.ts"
import type { ChainConfig, ChainVenue, VenueCheck } from "../domain/chain.ts"
import { exists, makeFolder, readText, replaceFile } from "../platform/files.ts"
import { openRpc, rpcDefaults } from "../platform/rpc.ts"
import { withDevchainOf } from "./devchain-facts.ts"

/** How long a start waits for a chain's word. */
const PATIENCE = "8 seconds"

const Kept = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      kind: Schema.String,
      factory: Schema.String,
      state: Schema.Literal("proven"),
      reason: Schema.String
    })
  )
)

class KeptVenuesError extends Schema.TaggedError<KeptVenuesError>()("KeptVenuesError", {
  message: Schema.String
}) {}

const fileOf = (folder: string, { key }: ChainConfig) => join(folder, "venues", `${key}.json`)

const keptIn = (chain: ChainConfig, folder: string) =>
  Effect.gen(function* () {
    const file = fileOf(folder, chain)
    if (!(yield* exists(file))) return []
    const kept = Schema.decodeUnknownResult(Kept)(yield* readText(file))
    if (Result.isSuccess(kept)) return kept.success
    return yield* new KeptVenuesError({ message: `${file}: ${kept.failure.message}` })
  })

const isSame = (a: VenueCheck, b: ChainVenue): boolean =>
  a.id === b.id && a.kind === b.kind && a.factory === b.factory

/** The chain with the candidates on that the checks prove. */
export const withChecks = (chain: ChainConfig, checks: ReadonlyArray<VenueCheck>): ChainConfig => {
  const { candidates = [] } = chain
  const isProven = (venue: ChainVenue) =>
    checks.some(check => check.state === "proven" && isSame(check, venue))
  return {
    ...chain,
    venues: [...chain.venues, ...candidates.filter(isProven)],
    candidates: candidates.filter(venue => !isProven(venue)),
    venueChecks: checks.filter(check => candidates.some(venue => isSame(check, venue)))
  }
}

/** The chain as this data folder knows it. */
export const knownChain = (chain: ChainConfig, folder: string) =>
  Effect.gen(function* () {
    const kept = yield* keptIn(chain, folder)
    return withChecks(yield* withDevchainOf(chain, folder), kept)
  })

const unasked = ({ id, kind, factory }: ChainVenue, reason: string): VenueCheck => ({
  ...{ id, kind, factory, state: "unproven", reason }
})

const ask = (chain: ChainConfig, urls: ReadonlyArray<string>, venues: ReadonlyArray<ChainVenue>) =>
  Effect.gen(function* () {
    const all = yield* Effect.forEach(urls, url => openRpc(url, rpcDefaults))
    const endpoints = new Endpoints(all, chain.id, new StatusBoard("evm-rpc", ""))
    const head = yield* endpoints.request({ method: "eth_blockNumber", params: [] }, readQuantity)
    const each = (venue: ChainVenue) =>
      checkVenue(endpoints, venue, head).pipe(
        Effect.catch(error => Effect.succeed(unasked(venue, error.message))),
        Effect.timeoutOrElse({
          duration: PATIENCE,
          orElse: () => Effect.succeed(unasked(venue, "the chain did not tell in time"))
        })
      )
    return yield* Effect.forEach(venues, each, { concurrency: 8 })
  }).pipe(
    Effect.scoped,
    Effect.catch(error => Effect.succeed(venues.map(venue => unasked(venue, error.message)))),
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () =>
        Effect.succeed(venues.map(venue => unasked(venue, "the chain did not answer in time")))
    })
  )

/** The chain with what it says of its candidates; what is new is logged, what is proven is kept. */
export const checkedChain = (chain: ChainConfig, urls: ReadonlyArray<string>, folder: string) =>
  Effect.gen(function* () {
    const kept = yield* keptIn(chain, folder)
    const open = withChecks(chain, kept).candidates ?? []
    if (open.length === 0 || urls.length === 0) return withChecks(chain, kept)
    const checks = yield* ask(chain, urls, open)
    for (const { id, factory, state, reason } of checks) {
      yield* Effect.logInfo(`${chain.key}: venue ${id} (${factory}) is ${state}: ${reason}`)
    }
    const all = [...kept, ...checks]
    const proven = all.filter(({ state }) => state === "proven")
    if (proven.length > kept.length) {
      yield* makeFolder(join(folder, "venues"))
      yield* replaceFile(fileOf(folder, chain), `${JSON.stringify(proven, null, 2)}\n`)
    }
    return withChecks(chain, all)
  })
