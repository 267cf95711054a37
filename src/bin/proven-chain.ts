/** Returns chains with their proven candidates (venues, routers) turned on. */
import { Effect, Option } from "effect"
import { Endpoints } from "../../streams/sources/evm-rpc/endpoints.ts"
import { readQuantity } from "../../streams/sources/evm-rpc/wire.ts"
import { StatusBoard } from "../../streams/status-board.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { openRpc, rpcDefaults } from "../platform/rpc.ts"
import {
  askEach,
  FIRST_PATIENCE,
  keptProofs,
  PATIENCE,
  summary,
  takeChecks
} from "./candidate-proof.ts"
import { withDevchainOf } from "./devchain-facts.ts"
import { routerProof } from "./proven-routers.ts"
import { venueProof } from "./proven-venues.ts"

const keptIn = (chain: ChainConfig, folder: string) =>
  Effect.all({
    venues: keptProofs(venueProof, chain, folder),
    routers: keptProofs(routerProof, chain, folder)
  })

/** Returns the chain with the proofs and the devchain's routers of this data folder. */
export const knownChain = (chain: ChainConfig, folder: string) =>
  Effect.gen(function* () {
    const { venues, routers } = yield* keptIn(chain, folder)
    const own = yield* withDevchainOf(chain, folder)
    return routerProof.applied(venueProof.applied(own, venues), routers)
  })

const ask = (open: ChainConfig, urls: ReadonlyArray<string>) => {
  const [venues, routers] = [venueProof.open(open), routerProof.open(open)]
  const unasked = (reason: string) => ({
    venues: venues.map(venue => venueProof.unasked(venue, reason)),
    routers: routers.map(router => routerProof.unasked(router, reason))
  })
  return Effect.gen(function* () {
    const all = yield* Effect.forEach(urls, url => openRpc(url, rpcDefaults))
    const endpoints = new Endpoints(all, open.id, new StatusBoard("evm-rpc", ""))
    const asked = endpoints.request({ method: "eth_blockNumber", params: [] }, readQuantity)
    const head = yield* Effect.timeoutOption(asked, FIRST_PATIENCE)
    if (Option.isNone(head)) return unasked("the chain did not answer in time")
    return yield* Effect.all(
      {
        venues: askEach(venueProof, endpoints, venues, head.value),
        routers: askEach(routerProof, endpoints, routers, head.value)
      },
      { concurrency: 2 }
    )
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
 * Queries the chain for its unproven candidates, logs the results, keeps new proofs, and returns
 * the chain with all of them applied. A silent chain delays this by 8 s at most.
 */
export const checkedChain = (chain: ChainConfig, urls: ReadonlyArray<string>, folder: string) =>
  Effect.gen(function* () {
    const kept = yield* keptIn(chain, folder)
    const known = yield* knownChain(chain, folder)
    const open = venueProof.open(known).length + routerProof.open(known).length
    if (open === 0 || urls.length === 0) return known
    const said = yield* ask(known, urls)
    const parts = [summary(venueProof, said.venues), summary(routerProof, said.routers)]
    const words = parts.filter(text => text !== "").join("; ")
    yield* Effect.logInfo(`${chain.key}: ${words}; /v1/status tells of each`)
    const venues = yield* takeChecks(venueProof, chain, folder, kept.venues, said.venues)
    return yield* takeChecks(routerProof, venues, folder, kept.routers, said.routers)
  })
