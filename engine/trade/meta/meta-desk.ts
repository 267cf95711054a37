/**
 * Asks the providers of a chain one after the other, and takes the first whose answer holds: of
 * quotes one by its own word, of transactions one that was checked and run on paper as its taker.
 * Notes who was asked, what each answered, in what time, and why it was not taken.
 */
import { Clock, Effect, Result } from "effect"
import type { ChainNode } from "../chain-node.ts"
import { NATIVE } from "../contract/router-call.ts"
import { finderOf } from "../token-slots.ts"
import type { AllowedRouter } from "./allow-list.ts"
import type { BreakerState } from "./breaker.ts"
import { type BreakerMove, Breakers } from "./breakers.ts"
import { belowFloor, checkCall, tighterSlippage } from "./check-call.ts"
import { measureCall } from "./measure.ts"
import { PassedOver, type PassedOverReason, passOver } from "./protocol/passed-over.ts"
import type {
  Ask,
  BuildOrder,
  DecodedCall,
  Hex,
  Provider,
  ProviderCall,
  ProviderOrder,
  ProviderQuote
} from "./protocol/provider.ts"
import type { ProviderId } from "./providers/all.ts"

/** A provider on a chain, as it is configured. */
export interface ChainProvider {
  readonly id: ProviderId
  readonly provider: Provider
  readonly ask: Ask
  /** null where none is known */
  readonly allowed: AllowedRouter | null
  /** why it is never asked; null where it is */
  readonly idle: PassedOver | null
}

export interface MetaChain {
  readonly key: string
  /** in the order in which they are asked */
  readonly providers: ReadonlyArray<ChainProvider>
  /** null where nothing can be simulated now */
  readonly node: () => ChainNode | null
}

/** What became of one provider in one request. */
export interface Trail {
  readonly provider: ProviderId
  readonly isAsked: boolean
  /** why it was passed over; null of the one that is taken */
  readonly reason: PassedOverReason | null
  readonly message: string | null
  /** as it answered; null where it did not, or its answer was refused before */
  readonly amountOut: bigint | null
  readonly router: Hex | null
  /** milliseconds until its answer was taken or refused */
  readonly ms: number
}

/** A transaction that may be shown. */
export interface CheckedCall extends ProviderCall {
  readonly minimumOut: bigint
  /** raw units that arrived on paper */
  readonly arrived: bigint
  readonly assumed: ReadonlyArray<"balance" | "allowance">
}

export interface Found<A> {
  readonly found: { readonly provider: ProviderId; readonly answer: A } | null
  /** those before the one that was found, and that one */
  readonly trail: ReadonlyArray<Trail>
}

/** How a provider stands on a chain. */
export interface ProviderStanding {
  readonly provider: ProviderId
  readonly breaker: BreakerState
  /** Unix milliseconds until which nobody asks it; null where the breaker is not open */
  readonly openUntilMs: number | null
  readonly idle: PassedOver | null
}

const noNode = passOver("no-node", "the chain has no node to simulate on")

/** Why a provider cannot be asked now. */
const idleOf = ({ idle }: ChainProvider, node: ChainNode | null): PassedOver | null =>
  idle ?? (node === null ? noNode : null)

/** The order with a slippage that the provider takes: less of it is stricter. */
const fitted = <O extends ProviderOrder>({ slippageBps: { least, most } }: Provider, order: O) =>
  order.slippageBps < least
    ? Effect.fail(passOver("slippage-unfit", `it takes no slippage below ${least} bps`))
    : Effect.succeed({ ...order, slippageBps: Math.min(most, order.slippageBps) })

/** What a quote tells of where its transaction would go is held against the allow-list, too. */
const allowedQuote = (quote: ProviderQuote, { allowed }: ChainProvider) => {
  const { router, spender } = quote
  if (router !== null && router !== allowed?.router) {
    return Effect.fail(passOver("router-not-allowed", `its quote names router ${router}`))
  }
  return spender === null || spender === allowed?.spender
    ? Effect.succeed(quote)
    : Effect.fail(passOver("spender-not-allowed", `its quote names spender ${spender}`))
}

interface Checked {
  readonly call: ProviderCall
  readonly decoded: DecodedCall
}

export class MetaDesk {
  private readonly breakers: Breakers
  /** providers whose last transaction reverted on paper, by chain */
  private readonly reverted = new Set<string>()

  constructor(onMove: (move: BreakerMove) => void) {
    this.breakers = new Breakers(onMove)
  }

  /** Goes on from a breaker's move of before. */
  restore(move: BreakerMove): void {
    this.breakers.restore(move)
  }

  standing({ key, providers }: MetaChain): ReadonlyArray<ProviderStanding> {
    return providers.map(({ id, idle }) => {
      const breaker = this.breakers.of(key, id)
      const openUntilMs = breaker.state === "open" ? breaker.untilMs : null
      return { provider: id, breaker: breaker.state, openUntilMs, idle }
    })
  }

  /** The first quote that there is. */
  quote(chain: MetaChain, order: ProviderOrder): Effect.Effect<Found<ProviderQuote>> {
    return this.firstOf(chain, chain.providers, one =>
      Effect.gen(function* () {
        const quote = yield* one.provider.quote(one.ask, yield* fitted(one.provider, order))
        if (quote.amountOut === 0n) return yield* passOver("no-route", "it would give nothing")
        return yield* allowedQuote(quote, one)
      })
    )
  }

  /** The first transaction that gives at least `floor`; `first` is asked before the others. */
  build(
    chain: MetaChain,
    order: BuildOrder,
    floor: bigint,
    first: ProviderId | null
  ): Effect.Effect<Found<CheckedCall>> {
    const isFirst = ({ id }: ChainProvider) => (id === first ? 0 : 1)
    const inOrder = [...chain.providers].sort((a, b) => isFirst(a) - isFirst(b))
    return this.firstOf(chain, inOrder, (one, node) =>
      Effect.gen({ self: this }, function* () {
        const fit = yield* fitted(one.provider, order)
        const { call, decoded } = yield* this.checked(one, fit, floor)
        yield* this.vouched(one, node, decoded)
        return yield* this.measured(chain.key, one, node, { call, decoded }, order)
      })
    )
  }

  private firstOf<A extends ProviderQuote>(
    chain: MetaChain,
    providers: ReadonlyArray<ChainProvider>,
    work: (one: ChainProvider, node: ChainNode) => Effect.Effect<A, PassedOver>
  ): Effect.Effect<Found<A>> {
    return Effect.gen({ self: this }, function* () {
      const trail: Array<Trail> = []
      for (const one of providers) {
        const { id } = one
        const node = chain.node()
        const idle = idleOf(one, node)
        const beganMs = yield* Clock.currentTimeMillis
        const { isAsked, result } =
          idle !== null || node === null
            ? { isAsked: false, result: Result.fail(idle ?? noNode) }
            : yield* this.breakers.attempt(chain.key, id, work(one, node))
        const ms = (yield* Clock.currentTimeMillis) - beganMs
        if (Result.isSuccess(result)) {
          const { amountOut, router } = result.success
          trail.push({
            ...{ provider: id, isAsked, reason: null, message: null, amountOut, router, ms }
          })
          return { found: { provider: id, answer: result.success }, trail }
        }
        const { reason, message } = result.failure
        const nothing = { amountOut: null, router: null }
        trail.push({ provider: id, isAsked, reason, message, ...nothing, ms })
      }
      return { found: null, trail }
    })
  }

  /** A transaction that is as asked for; where it accepts too little, one more is asked for. */
  private checked(
    one: ChainProvider,
    order: BuildOrder,
    floor: bigint
  ): Effect.Effect<Checked, PassedOver> {
    const { provider, ask, allowed } = one
    const once = (asked: BuildOrder) =>
      Effect.gen(function* () {
        if (allowed === null) return yield* passOver("no-known-router", "it has no router here")
        const call = yield* provider.build(ask, asked)
        const decoded = checkCall(provider, call, asked, allowed)
        return decoded instanceof PassedOver ? yield* decoded : { call, decoded }
      })
    return Effect.gen(function* () {
      const quoted = yield* once(order)
      const { slippageBps } = order
      const tighter = tighterSlippage(quoted.decoded, quoted.call, floor, slippageBps)
      const isFit = tighter !== null && tighter >= provider.slippageBps.least
      const last = isFit ? yield* once({ ...order, slippageBps: tighter }) : quoted
      const below = belowFloor(last.decoded, last.call, floor)
      return below === null ? last : yield* below
    })
  }

  private vouched(
    { provider: { vouches } }: ChainProvider,
    node: ChainNode,
    { executor }: DecodedCall
  ): Effect.Effect<void, PassedOver> {
    if (executor === null) return Effect.void
    const asked = vouches === undefined ? Effect.succeed(false) : vouches(node, executor)
    return asked.pipe(
      Effect.mapError(({ message }) => passOver("not-simulated", message)),
      Effect.flatMap(isKnown =>
        isKnown
          ? Effect.void
          : Effect.fail(
              passOver("router-not-allowed", `the transaction lets ${executor} take the input`)
            )
      )
    )
  }

  private measured(
    chain: string,
    { id }: ChainProvider,
    node: ChainNode,
    { call, decoded }: Checked,
    order: BuildOrder
  ): Effect.Effect<CheckedCall, PassedOver> {
    return Effect.gen({ self: this }, function* () {
      const { router, spender, data, value } = call
      const sent = { from: order.taker, to: router, data, value }
      const outcome = yield* measureCall(node, sent, order, spender ?? NATIVE, finderOf(node)).pipe(
        Effect.mapError(({ message }) => passOver("not-simulated", message))
      )
      if (!outcome.ok) return yield* this.revertOf(`${chain} ${id}`, outcome)
      const { sold, arrived } = outcome.result
      const { minimumOut } = decoded
      if (arrived < minimumOut || arrived === 0n) {
        const message = `on paper ${arrived} arrives, and it promises ${minimumOut}`
        return yield* passOver("simulation-failed", message)
      }
      if (sold > order.amountIn) {
        const message = `on paper it sells ${sold}, not ${order.amountIn}`
        return yield* passOver("amount-changed", message)
      }
      this.reverted.delete(`${chain} ${id}`)
      return { ...call, minimumOut, arrived, assumed: outcome.assumed }
    })
  }

  /** A revert for want of funds is the taker's; any other, twice in a row, is a failure. */
  private revertOf(
    key: string,
    { cause, revert }: { readonly cause: string; readonly revert: string }
  ): PassedOver {
    if (cause === "insufficient-balance" || cause === "router-not-approved") {
      return passOver("simulation-failed", revert)
    }
    const isAgain = this.reverted.has(key)
    this.reverted.add(key)
    return passOver(isAgain ? "reverts" : "simulation-failed", revert)
  }
}
