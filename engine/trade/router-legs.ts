/**
 * A route as the router contract executes it. Legs sell shares of what the contract holds when they
 * begin, so that nothing is left where a leg before gave other than quoted; a share is rounded, and
 * with it the amount, so each leg is quoted again for what it will sell. Routes know the native
 * unit and the token that wraps it as one: where one is held and the other sold, a leg converts it.
 */
import type { Adapter } from "./contract/adapters.ts"
import { NATIVE, type RouterLeg, WHOLE } from "./contract/router-call.ts"

type Hex = `0x${string}`

/** A leg of a route with what the contract needs. */
export interface PlannedLeg {
  readonly contract: Hex
  readonly adapter: Adapter
  /** lower-case addresses; the wrapped token stands for the native unit, too */
  readonly tokenIn: string
  readonly tokenOut: string
  /** raw units that it is to sell */
  readonly amountIn: bigint
  /** whether the pool takes and pays the native unit itself */
  readonly isNative: boolean
  /** raw units that it pays for raw units sold; null where it does not take that */
  readonly quote: (amountIn: bigint) => bigint | null
  /** ticks or bins that a sale goes over */
  readonly crossed: (amountIn: bigint) => number
}

/** What the caller pays and wants, as he names it: the zero address is the native unit. */
export interface Ends {
  readonly tokenIn: string
  readonly tokenOut: string
  /** raw units that the caller pays */
  readonly amountIn: bigint
}

/** What a leg sells and pays once its share is rounded. */
export interface Executed {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** the contract's leg */
  readonly call: RouterLeg
}

export interface Execution {
  /** of each planned leg, in order */
  readonly legs: ReadonlyArray<Executed>
  /** the contract's legs, conversions of the native unit among them */
  readonly calls: ReadonlyArray<RouterLeg>
  /** raw units of the bought token */
  readonly amountOut: bigint
}

/** The least share of `held` that is at least so much of it. */
const shareOf = (amount: bigint, held: bigint): bigint =>
  amount >= held ? WHOLE : (amount * WHOLE + held - 1n) / held

/** Follows what the contract holds of each token while it executes legs. */
class Walk {
  readonly calls: Array<RouterLeg> = []
  private readonly held = new Map<string, bigint>()
  private readonly wrapped: string | null

  constructor(wrapped: string | null) {
    this.wrapped = wrapped
  }

  /** The one form of the native unit where a token is the other; null for other tokens. */
  private other(form: string): string | null {
    if (this.wrapped === null) return null
    return form === NATIVE ? this.wrapped : form === this.wrapped ? NATIVE : null
  }

  of(form: string): bigint {
    return this.held.get(form) ?? 0n
  }

  /** Raw units of a token in both forms. */
  both(form: string): bigint {
    const other = this.other(form)
    return this.of(form) + (other === null ? 0n : this.of(other))
  }

  add(form: string, amount: bigint): void {
    this.held.set(form, this.of(form) + amount)
  }

  /** Converts what lacks of so much in a form. */
  provide(form: string, amount: bigint): void {
    const other = this.other(form)
    const missing = amount - this.of(form)
    if (other === null || this.wrapped === null || missing <= 0n || this.of(other) === 0n) return
    const share = shareOf(missing, this.of(other))
    const moved = (this.of(other) * share) / WHOLE
    const kind = form === NATIVE ? "unwrap" : "wrap"
    const [tokenIn, tokenOut] = [other as Hex, form as Hex]
    this.calls.push({ kind, pool: this.wrapped as Hex, tokenIn, tokenOut, share })
    this.add(other, -moved)
    this.add(form, moved)
  }

  /** Sells so much by a leg, or all where nothing sells the token after it. */
  sell(leg: PlannedLeg, isLast: boolean): Executed | null {
    const form = (token: string): string =>
      leg.isNative && token === this.wrapped ? NATIVE : token
    const [from, to] = [form(leg.tokenIn), form(leg.tokenOut)]
    const wanted = isLast ? this.both(from) : leg.amountIn
    this.provide(from, wanted)
    const share = shareOf(wanted, this.of(from))
    const amountIn = (this.of(from) * share) / WHOLE
    const amountOut = leg.quote(amountIn)
    if (amountOut === null) return null
    const { adapter, contract } = leg
    const [tokenIn, tokenOut] = [from as Hex, to as Hex]
    const call = { ...adapter, pool: contract, tokenIn, tokenOut, share }
    this.calls.push(call)
    this.add(from, -amountIn)
    this.add(to, amountOut)
    return { amountIn, amountOut, call }
  }
}

/**
 * Executes planned legs on paper, in an order in which each has what it sells. `wrapped` is the
 * token that wraps the chain's native unit, null where there is none. Null where a leg does not
 * take what it would be given.
 */
export const executeLegs = (
  planned: ReadonlyArray<PlannedLeg>,
  { tokenIn, tokenOut, amountIn }: Ends,
  wrapped: string | null
): Execution | null => {
  const walk = new Walk(wrapped)
  walk.add(tokenIn, amountIn)
  const legs: Array<Executed> = []
  for (const [i, leg] of planned.entries()) {
    const isLast = !planned.slice(i + 1).some(later => later.tokenIn === leg.tokenIn)
    const executed = walk.sell(leg, isLast)
    if (executed === null) return null
    legs.push(executed)
  }
  walk.provide(tokenOut, walk.both(tokenOut))
  return { legs, calls: walk.calls, amountOut: walk.of(tokenOut) }
}
