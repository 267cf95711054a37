import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import type { QueryRequest } from "../../../engine/question.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import type { Refusal } from "../../errors.ts"
import { ownLane } from "../boards/own-lane.ts"
import { chainKeyedLane } from "../chains/chain-family.ts"
import type { ChainTradesQuery } from "../chains/chains.api.ts"
import { pageParams } from "../chains/chains.handlers.ts"
import { accountOn } from "../served-lane.ts"
import { walletPnl } from "./wallet-pnl.query.ts"
import { walletTrades } from "./wallet-trades.query.ts"
import { type DaysQuery, WALLET_DAYS } from "./wallets.api.ts"

export const WalletsHandlers = HttpApiBuilder.group(
  Api,
  "wallets",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo

    const ofWallet = (
      lane: Effect.Effect<Lane, Refusal>,
      address: string,
      on: (wallet: string) => QueryRequest
    ) =>
      answered(
        Effect.gen(function* () {
          const opened = yield* lane
          const wallet = yield* accountOn(opened, address)
          return yield* laneResponse(version, opened, on(wallet))
        })
      )

    /** Returns the handlers of the routes over one lane. */
    const routesOf = (lane: Effect.Effect<Lane, Refusal>) => ({
      pnl: (address: string, { days = WALLET_DAYS }: DaysQuery) =>
        ofWallet(lane, address, wallet => ask(walletPnl, { wallet, days })),
      trades: (address: string, query: ChainTradesQuery) =>
        ofWallet(lane, address, wallet => ask(walletTrades, { wallet, ...pageParams(query) }))
    })
    const arc = routesOf(ownLane(lanes, "arc"))
    const rh = routesOf(ownLane(lanes, "rh"))
    const keyed = (chain: string) => routesOf(chainKeyedLane(lanes, chain))

    return handlers
      .handle("arcWalletPnl", ({ params, query }) => arc.pnl(params.address, query))
      .handle("arcWalletTrades", ({ params, query }) => arc.trades(params.address, query))
      .handle("rhWalletPnl", ({ params, query }) => rh.pnl(params.address, query))
      .handle("rhWalletTrades", ({ params, query }) => rh.trades(params.address, query))
      .handle("chainWalletPnl", ({ params, query }) =>
        keyed(params.chain).pnl(params.address, query)
      )
      .handle("chainWalletTrades", ({ params, query }) =>
        keyed(params.chain).trades(params.address, query)
      )
  })
)
