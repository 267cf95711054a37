/** Returns chains with their proven candidates (venues, routers) turned on. */
import { Clock, Effect, Option } from "effect"
import { adoptFacts, appendFacts, type ChainFact, readFacts } from "../../engine/log/fact-log.ts"
import { streamName } from "../../engine/log/log-stream.ts"
import { Endpoints } from "../../streams/sources/evm-rpc/endpoints.ts"
import { readQuantity } from "../../streams/sources/evm-rpc/wire.ts"
import { StatusBoard } from "../../streams/status-board.ts"
import type { ChainConfig, RouterCheck, VenueCheck } from "../domain/chain.ts"
import { openRpc, rpcDefaults } from "../platform/rpc.ts"
import { bytesOnDisk } from "../platform/stream-files.ts"
import { askEach, FIRST_PATIENCE, newFacts, PATIENCE, summary } from "./candidate-proof.ts"
import { saySimulated, withDevchainOf } from "./devchain-facts.ts"
import { routerProof } from "./proven-routers.ts"
import { venueProof } from "./proven-venues.ts"

/** What is known of a chain's candidates. */
interface Checks {
  readonly venues: ReadonlyArray<VenueCheck>
  readonly routers: ReadonlyArray<RouterCheck>
}

const checksIn = (facts: ReadonlyArray<ChainFact>): Checks => ({
  venues: venueProof.checksIn(facts),
  routers: routerProof.checksIn(facts)
})

const withChecks = (chain: ChainConfig, { venues, routers }: Checks): ChainConfig =>
  routerProof.applied(venueProof.applied(chain, venues), routers)

/** Adopts a fact log that lies in the folder, but that the folder's server does not list. */
const adoptedFacts = (chain: ChainConfig, folder: string) =>
  bytesOnDisk(folder, streamName(chain.key, "facts")) > 0 ? adoptFacts(chain.key) : Effect.void

/** Returns a chain with the proofs of its fact log, and the place where these end. */
export const chainWithFacts = (chain: ChainConfig) =>
  Effect.map(readFacts(chain.key), ({ facts, end }) => ({
    chain: withChecks(chain, checksIn(facts)),
    end
  }))

/** Returns the chain with what its fact log says: its proofs, and a devchain's routers. */
export const knownChain = (chain: ChainConfig, folder: string) =>
  Effect.gen(function* () {
    yield* adoptedFacts(chain, folder)
    return (yield* chainWithFacts(yield* withDevchainOf(chain, folder))).chain
  })

const ask = (open: ChainConfig, urls: ReadonlyArray<string>) => {
  const [venues, routers] = [venueProof.open(open), routerProof.open(open)]
  const unasked = (reason: string) => ({
    head: 0,
    venues: venues.map(venue => venueProof.unasked(venue, reason)),
    routers: routers.map(router => routerProof.unasked(router, reason))
  })
  return Effect.gen(function* () {
    const all = yield* Effect.forEach(urls, url => openRpc(url, rpcDefaults))
    const endpoints = new Endpoints(all, open.id, new StatusBoard("evm-rpc", ""))
    const asked = endpoints.request({ method: "eth_blockNumber", params: [] }, readQuantity)
    const head = yield* Effect.timeoutOption(asked, FIRST_PATIENCE)
    if (Option.isNone(head)) return unasked("the chain did not answer in time")
    const said = {
      venues: askEach(venueProof, endpoints, venues, head.value),
      routers: askEach(routerProof, endpoints, routers, head.value)
    }
    return { head: head.value, ...(yield* Effect.all(said, { concurrency: 2 })) }
  }).pipe(
    Effect.scoped,
    Effect.catch(error => Effect.succeed(unasked(error.message))),
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () => Effect.succeed(unasked("the chain did not answer in time"))
    })
  )
}

/**
 * Queries the chain for its unproven candidates, logs the results, adds new proofs to its fact log,
 * and returns the chain with all of them applied. A silent chain delays this by 8 s at most.
 */
export const checkedChain = (chain: ChainConfig, urls: ReadonlyArray<string>, folder: string) =>
  Effect.gen(function* () {
    yield* adoptedFacts(chain, folder)
    const own = yield* withDevchainOf(chain, folder)
    const { facts } = yield* readFacts(chain.key)
    yield* saySimulated(own, facts)
    const kept = checksIn(facts)
    const known = withChecks(own, kept)
    const open = venueProof.open(known).length + routerProof.open(known).length
    if (open === 0 || urls.length === 0) return known
    const { head, venues, routers } = yield* ask(known, urls)
    const parts = [summary(venueProof, venues), summary(routerProof, routers)]
    const words = parts.filter(text => text !== "").join("; ")
    yield* Effect.logInfo(`${chain.key}: ${words}; /v1/status tells of each`)
    const time = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const block = { number: head, time, hash: null, parentHash: null }
    const found = [...newFacts(venueProof, venues, block), ...newFacts(routerProof, routers, block)]
    if (found.length > 0) yield* appendFacts(chain.key, found)
    return withChecks(own, {
      venues: [...kept.venues, ...venues],
      routers: [...kept.routers, ...routers]
    })
  })
