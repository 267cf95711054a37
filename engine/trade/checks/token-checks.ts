/** Checks of tokens, each made once a while. */
import { Clock, Deferred, Effect, type Scope } from "effect"
import { hasPassed } from "../../../src/platform/elapsed.ts"
import { plainWords } from "../../../src/platform/plain-words.ts"
import type { ChainNode } from "../chain-node.ts"
import type { TokenCheck, TokenChecks } from "../token-check.ts"
import { finderOf } from "../token-slots.ts"
import { type CheckedPlace, checkTransfers } from "./transfer-check.ts"

/** Milliseconds for which a check holds: owners of tokens change taxes. */
const HOLDS_MS = 600_000
/** One that failed is made again sooner. */
const FAILED_HOLDS_MS = 15_000
/** So long an asker waits for a check that is under way. */
const WAIT_MS = 1500
/** So many tokens beside pools are remembered, the last asked for. */
const MOST_TOKENS = 4096

interface Kept {
  readonly made: Deferred.Deferred<TokenCheck>
  /** when it was made, and for how long it holds; null while it is under way */
  holds: { readonly sinceMs: number; readonly ms: number } | null
}

const isGood = ({ holds }: Kept, nowMs: number): boolean =>
  holds === null || !hasPassed(holds.sinceMs, nowMs, holds.ms)

const LATE: TokenCheck = { state: "unknown", reason: "the check is not done yet" }

/** Of one chain's node and router; checks go on in the scope when whoever asked is gone. */
export const openTokenChecks = (
  node: ChainNode,
  router: `0x${string}`
): Effect.Effect<TokenChecks, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const finder = finderOf(node)
    const kept = new Map<string, Kept>()

    const make = (place: CheckedPlace, entry: Kept) =>
      Effect.gen(function* () {
        const check = yield* checkTransfers(node, place, finder).pipe(
          Effect.catchCause(cause =>
            Effect.succeed<TokenCheck>({ state: "unknown", reason: plainWords(cause) })
          )
        )
        const ms = check.state === "unknown" ? FAILED_HOLDS_MS : HOLDS_MS
        entry.holds = { sinceMs: yield* Clock.currentTimeMillis, ms }
        yield* Deferred.succeed(entry.made, check)
      })

    const entryOf = (token: string, pool: string) =>
      Effect.gen(function* () {
        const key = `${token} ${pool}`
        const known = kept.get(key)
        const nowMs = yield* Clock.currentTimeMillis
        if (known !== undefined && isGood(known, nowMs)) return known
        const entry: Kept = { made: yield* Deferred.make<TokenCheck>(), holds: null }
        kept.delete(key)
        kept.set(key, entry)
        for (const [oldest] of kept) {
          if (kept.size <= MOST_TOKENS) break
          kept.delete(oldest)
        }
        const place = { token, pool, router } as CheckedPlace
        yield* Effect.forkIn(make(place, entry), scope)
        return entry
      })

    return {
      router,
      check: (token, pool) =>
        Effect.flatMap(entryOf(token, pool), ({ made }) =>
          Deferred.await(made).pipe(
            Effect.timeoutOrElse({ duration: WAIT_MS, orElse: () => Effect.succeed(LATE) })
          )
        )
    }
  })
