/**
 * What callers with a key and callers without one may read. Where a chain is kept from the latter
 * there are two applications, one without it, each with answers of its own: what nobody gave to an
 * application no route of it can tell, and no answer of one comes from the other's cache.
 */
import { Effect } from "effect"
import { type Lane, type Lanes, laneIn, lanesOf } from "../../engine/lane/lanes.ts"
import { isNamed } from "../../src/domain/chain.ts"
import { allChains } from "../../src/domain/chains/registry.ts"
import { SettingError } from "../../src/platform/environment.ts"
import { AnswerCache } from "./answer-cache.ts"
import type { HttpApplication } from "./encode-answer.ts"
import type { Audience } from "./http-handler.ts"

const CACHE_LIMITS = { maxBytes: 64 * 1024 * 1024, maxEntries: 20_000 }

/** The lanes of each audience; one object where both may read all. */
export interface AudienceLanes {
  readonly open: Lanes["Service"]
  readonly keyed: Lanes["Service"]
}

/** Whether a chain of the registry has this key or id: elsewhere it may well not run. */
const isRegistered = (chain: string): boolean => allChains.some(known => isNamed(known, chain))

/**
 * Parts the lanes by the chains that need a key. Fails for a name that is no chain's: a chain that
 * was meant would be open to everybody.
 */
export const audienceLanes = (
  keyed: Lanes["Service"],
  privateChains: ReadonlyArray<string>
): Effect.Effect<AudienceLanes, SettingError> => {
  const unknown = privateChains.find(
    chain => laneIn(keyed.all, chain) === undefined && !isRegistered(chain)
  )
  if (unknown !== undefined) {
    const message = `PRIVATE_CHAINS: ${unknown} is neither the key nor the id of a chain known here`
    return Effect.fail(new SettingError({ message }))
  }
  const named = new Set<Lane | undefined>(privateChains.map(chain => laneIn(keyed.all, chain)))
  const withheld = keyed.all.filter(lane => named.has(lane))
  if (withheld.length === 0) return Effect.succeed({ open: keyed, keyed })
  return Effect.succeed({
    open: lanesOf(
      keyed.all.filter(lane => !named.has(lane)),
      withheld
    ),
    keyed: lanesOf(keyed.all, [], withheld)
  })
}

/** Makes the application of each audience, once where both are the same. */
export const makeAudiences = <E, R>(
  { open, keyed }: AudienceLanes,
  applicationOf: (lanes: Lanes["Service"]) => Effect.Effect<HttpApplication, E, R>
): Effect.Effect<{ readonly open: Audience; readonly keyed: Audience }, E, R> =>
  Effect.gen(function* () {
    const isParted = open !== keyed
    const audience = (application: HttpApplication, isPrivate: boolean): Audience => ({
      ...{ application, isPrivate, cache: new AnswerCache(CACHE_LIMITS) }
    })
    const all = audience(yield* applicationOf(keyed), isParted)
    return { open: isParted ? audience(yield* applicationOf(open), false) : all, keyed: all }
  })
