/**
 * The most that any split of a sale can buy over direct pools and two-hop paths, without integers
 * and gas: an upper bound by duality, from formulas of its own. With a price for the sold token
 * and one for each anchor, every pool trades by itself as far as it gains; what all of them gain,
 * and the sale at its price, is above what any split buys, and as low as the optimum at the best
 * prices.
 */

export interface OracleTick {
  readonly tick: number
  readonly net: bigint
}

export type OraclePool = {
  readonly token0: string
  readonly token1: string
  /** 1e-6 of the input */
  readonly fee: number
} & (
  | { readonly type: "v2"; readonly reserve0: bigint; readonly reserve1: bigint }
  | {
      readonly type: "v3"
      readonly tickSpacing: number
      readonly sqrtPriceX96: bigint
      readonly tick: number
      readonly liquidity: bigint
      /** ascending */
      readonly ticks: ReadonlyArray<OracleTick>
    }
)

interface Trade {
  readonly sold: number
  readonly bought: number
}

const NOTHING: Trade = { sold: 0, bought: 0 }

/** Sells into a constant product until a unit of input buys `price` units of output. */
const sellPair = (reserveIn: number, reserveOut: number, kept: number, price: number): Trade => {
  const sold = (Math.sqrt((kept * reserveIn * reserveOut) / price) - reserveIn) / kept
  if (sold <= 0) return NOTHING
  return { sold, bought: (kept * sold * reserveOut) / (reserveIn + kept * sold) }
}

const rootAt = (tick: number): number => 1.0001 ** (tick / 2)

/** Sells into ranges until a unit of input buys `price` units of output. */
const sellRanges = (
  pool: Extract<OraclePool, { type: "v3" }>,
  zeroForOne: boolean,
  kept: number,
  price: number
): Trade => {
  // the pool's own price of token 0 in token 1 at which that is so
  const limit = zeroForOne ? Math.sqrt(price / kept) : Math.sqrt(kept / price)
  let root = Number(pool.sqrtPriceX96) / 2 ** 96
  let liquidity = Number(pool.liquidity)
  const ahead = zeroForOne
    ? pool.ticks.filter(({ tick }) => tick <= pool.tick).toReversed()
    : pool.ticks.filter(({ tick }) => tick > pool.tick)
  let [sold, bought] = [0, 0]
  for (const { tick, net } of ahead) {
    const bound = rootAt(tick)
    const to = zeroForOne ? Math.max(bound, limit) : Math.min(bound, limit)
    if (zeroForOne ? to < root : to > root) {
      const in1 = liquidity * Math.abs(to - root)
      const in0 = in1 / (to * root)
      sold += (zeroForOne ? in0 : in1) / kept
      bought += zeroForOne ? in1 : in0
      root = to
    }
    if (zeroForOne ? limit >= bound : limit <= bound) break
    liquidity += zeroForOne ? -Number(net) : Number(net)
  }
  return { sold, bought }
}

const sell = (pool: OraclePool, tokenIn: string, price: number): Trade => {
  const kept = 1 - pool.fee / 1e6
  const zeroForOne = pool.token0 === tokenIn
  if (pool.type === "v3") return sellRanges(pool, zeroForOne, kept, price)
  const [a, b] = [Number(pool.reserve0), Number(pool.reserve1)]
  return zeroForOne ? sellPair(a, b, kept, price) : sellPair(b, a, kept, price)
}

/** Sum over pools of what each sells and buys until its price falls to the one given. */
const sellAll = (pools: ReadonlyArray<OraclePool>, tokenIn: string, price: number): Trade => {
  let [sold, bought] = [0, 0]
  for (const pool of pools) {
    const trade = sell(pool, tokenIn, price)
    sold += trade.sold
    bought += trade.bought
  }
  return { sold, bought }
}

/** Where an increasing function is zero, between the exponents of two, by halving. */
const zeroOf = (f: (x: number) => number): number => {
  let [low, high] = [-400, 400]
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2
    if (f(2 ** middle) < 0) low = middle
    else high = middle
  }
  return 2 ** ((low + high) / 2)
}

const holds = (pool: OraclePool, a: string, b: string): boolean =>
  (pool.token0 === a && pool.token1 === b) || (pool.token0 === b && pool.token1 === a)

interface PathPools {
  readonly anchor: string
  readonly first: ReadonlyArray<OraclePool>
  readonly second: ReadonlyArray<OraclePool>
}

/** What a path gains where a unit sold is worth `price`, at the anchor's best price. */
const pathAt = ({ anchor, first, second }: PathPools, tokenIn: string, price: number) => {
  const worth = zeroOf(
    w => sellAll(first, tokenIn, price / w).bought - sellAll(second, anchor, w).sold
  )
  const into = sellAll(first, tokenIn, price / worth)
  const out = sellAll(second, anchor, worth)
  const gain = worth * into.bought - price * into.sold + out.bought - worth * out.sold
  return { gain, sold: into.sold }
}

/** An upper bound of what selling `amount` can buy. */
export const splitBound = (
  pools: ReadonlyArray<OraclePool>,
  tokenIn: string,
  tokenOut: string,
  anchors: ReadonlyArray<string>,
  amount: number
): number => {
  const direct = pools.filter(pool => holds(pool, tokenIn, tokenOut))
  const paths = anchors
    .map(anchor => ({
      anchor,
      first: pools.filter(pool => holds(pool, tokenIn, anchor)),
      second: pools.filter(pool => holds(pool, anchor, tokenOut))
    }))
    .filter(({ first, second }) => first.length > 0 && second.length > 0)
  const boundAt = (price: number) => {
    const straight = sellAll(direct, tokenIn, price)
    let sold = straight.sold
    let bound = price * amount + straight.bought - price * straight.sold
    for (const path of paths) {
      const at = pathAt(path, tokenIn, price)
      sold += at.sold
      bound += at.gain
    }
    return { sold, bound }
  }
  return boundAt(zeroOf(price => amount - boundAt(price).sold)).bound
}
