/**
 * Pieces of which the laws of venue kinds make meanings: arguments as viem gives them, and fields
 * that most events do not tell. Only tests read it.
 */
import type { EventFields } from "./event.ts"
import {
  type EventMeaning,
  LAW_FACTORY,
  type LawPool,
  type SentCall,
  type VenueLaws
} from "./venue-laws.ts"

/** An address or pool id, as events hold it. */
export const address = (value: unknown): string => (value as string).toLowerCase()

/** An integer; viem gives narrow ones as numbers. */
export const amount = (value: unknown): bigint => BigInt(value as bigint)

export const list = (value: unknown): ReadonlyArray<unknown> => value as ReadonlyArray<unknown>

export const amounts = (value: unknown): ReadonlyArray<bigint> => value as ReadonlyArray<bigint>

/** A swap of two tokens that tells their amounts, and neither names nor places them. */
export const plainSwap = {
  kind: "SwapExecuted",
  sqrtPriceX96: null,
  liquidity: null,
  tick: null,
  fee: null,
  token0: null,
  token1: null,
  index0: null,
  index1: null
} as const

/** A parameter; its value may be an address or a word too. */
export const parameter = (
  pool: string,
  name: string,
  value: unknown,
  index: number | null = null
): EventMeaning => ({ kind: "PoolParameterSet", pool, name, index, value: amount(value) })

/** A pool that its factory told of. */
export const createdPool = (
  venueKind: string,
  factory: string,
  pool: unknown,
  tokens: ReadonlyArray<unknown>,
  more: Partial<Pick<EventFields<"PoolCreated">, "fee" | "tickSpacing">> = {}
): EventMeaning => ({
  kind: "PoolCreated",
  pool: address(pool),
  venueKind,
  factory,
  tokens: tokens.map(address),
  fee: null,
  tickSpacing: null,
  source: "log",
  ...more
})

/** What a function answers of a pool: words, addresses among them; null where it refuses. */
export type LawAnswer = (
  pool: LawPool,
  args: ReadonlyArray<bigint>
) => ReadonlyArray<bigint | string | number> | null

const answerOf = (
  functions: { readonly [signature: string]: LawAnswer },
  pool: LawPool,
  { abi, args = [] }: SentCall
) => functions[abi.replace(/^function (.*?\)).*$/, "$1")]?.(pool, args)?.map(BigInt) ?? null

/** What the pool and its factory answer, by the signatures of their functions: `token0()`. */
export const factAnswers =
  (
    ofPool: { readonly [signature: string]: LawAnswer },
    ofFactory: { readonly [signature: string]: LawAnswer } = {}
  ): NonNullable<VenueLaws["factAnswers"]> =>
  (pool, call) =>
    call.to === pool.facts.pool
      ? answerOf(ofPool, pool, call)
      : call.to === LAW_FACTORY
        ? answerOf(ofFactory, pool, call)
        : null

/** A pool's own words of its tokens and its factory, as most contracts call them. */
export const plainAnswers: { readonly [signature: string]: LawAnswer } = {
  "token0()": ({ facts }) => [facts.tokens[0] as string],
  "token1()": ({ facts }) => [facts.tokens[1] as string],
  "factory()": () => [LAW_FACTORY]
}

/** Whether a factory is asked for the pool's tokens, in either order, and for these words. */
const asksFor = (
  { facts }: LawPool,
  args: ReadonlyArray<bigint>,
  more: ReadonlyArray<bigint | number | null> = []
): boolean => {
  const [tokenA, tokenB, ...rest] = args.map(String)
  const tokens = facts.tokens.slice(0, 2).map(token => String(BigInt(token)))
  return (
    tokens.sort().join() === [tokenA, tokenB].sort().join() &&
    rest.join() === more.map(String).join()
  )
}

/** The pool where the factory is asked for its tokens and this; no pool for others. */
export const poolFor =
  (more: (pool: LawPool) => ReadonlyArray<bigint | number | null> = () => []): LawAnswer =>
  (pool, args) => [asksFor(pool, args, more(pool)) ? pool.facts.pool : 0n]

/** The last value of a parameter in the pool's history, or zero. */
export const told = ({ history }: LawPool, name: string): bigint =>
  history
    .flatMap(event =>
      event.kind === "PoolParameterSet" && event.name === name ? [event.value] : []
    )
    .at(-1) ?? 0n
