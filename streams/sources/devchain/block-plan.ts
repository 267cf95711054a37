/** The transactions of one block: a function of seed, chain, block number, time and chain state. */
import { Effect } from "effect"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { DEADLINE_SECONDS, type Transaction } from "./calls.ts"
import type { ChainReader, Holding } from "./chain-reader.ts"
import type { PlanContext } from "./funds.ts"
import { type LaunchDraft, launchQuery, settleLaunch } from "./launch-plan.ts"
import { type Launches, launchChance } from "./launches.ts"
import { drawLiquidity, drawProviders, liquidityQueries, settleLiquidity } from "./liquidity.ts"
import type { Market } from "./market.ts"
import { seededRandom } from "./random.ts"
import { viewPool } from "./routes.ts"
import { drawSwaps, settleSwap, swapQueries } from "./swaps.ts"
import type { Wallets } from "./wallets.ts"

export interface Trading {
  readonly market: Market
  readonly launches: Launches
  readonly wallets: Wallets
  readonly reader: ChainReader
}

export interface BlockToPlan {
  readonly number: number
  /** Unix seconds */
  readonly time: number
  /** 0 at first; another number gives other trades for the same block, as a fork needs */
  readonly branch: number
}

/** Plans a block on top of the chain's head. */
export const planBlock = Effect.fnUntraced(function* (
  { market, launches, wallets, reader }: Trading,
  { number, time, branch }: BlockToPlan
): Effect.fn.Return<ReadonlyArray<Transaction>, RpcError> {
  const random = seededRandom(market.seed, market.network.key, number, branch)
  const deadline = BigInt(time + DEADLINE_SECONDS)
  const context: PlanContext = { market, launches, wallets, random, number, time, deadline }
  const { launchCount, pools } = yield* reader.market
  const views = pools.map(({ pool, state }) => viewPool(pool, state, time))

  // Each wallet acts once a block, so no plan depends on another of the same block.
  const creator = random.pick(wallets.regulars)
  const launching: ReadonlyArray<LaunchDraft> = random.chance(launchChance(launchCount))
    ? [{ wallet: creator, launch: launches.at(launchCount) }]
    : []
  const swaps = drawSwaps(context, views, creator)
  const providers = drawProviders(context)
  const positions = yield* Effect.forEach(providers, reader.positions)
  const changes = providers.map((wallet, i) =>
    drawLiquidity(context, views, wallet, positions[i] ?? [])
  )

  const asked = [
    ...launching.map(draft => [launchQuery(context, draft)]),
    ...swaps.map(draft => swapQueries(context, draft)),
    ...changes.map(draft => liquidityQueries(context, draft))
  ]
  const holdings = yield* reader.holdings(asked.flat())
  let at = 0
  const answers = asked.map(queries => holdings.slice(at, (at += queries.length)))
  const next = answers[Symbol.iterator]()
  const held = () => next.next().value as ReadonlyArray<Holding>
  return [
    ...launching.flatMap(draft => settleLaunch(context, draft, held())),
    ...swaps.flatMap(draft => settleSwap(context, draft, held())),
    ...changes.flatMap(draft => settleLiquidity(context, draft, held()))
  ]
})
