import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import type { Refusal } from "../../errors.ts"
import { ownLane } from "../boards/own-lane.ts"
import { chainKeyedLane } from "../chains/chain-family.ts"
import type { ChainTradesQuery } from "../chains/chains.api.ts"
import { pageParams } from "../chains/chains.handlers.ts"
import { walletPnl } from "./wallet-pnl.query.ts"
import { walletTrades } from "./wallet-trades.query.ts"
import { type DaysQuery, WALLET_DAYS } from "./wallets.api.ts"

export const WalletsHandlers = HttpApiBuilder.group(
  Api,
  "wallets",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo

    /** Returns the handlers of the routes over one lane. */
    const of = (lane: Effect.Effect<Lane, Refusal>) => ({
      pnl: (address: string, { days = WALLET_DAYS }: DaysQuery) => {
        const request = ask(walletPnl, { wallet: address.toLowerCase(), days })
        return answered(Effect.flatMap(lane, found => laneResponse(version, found, request)))
      },
      trades: (address: string, query: ChainTradesQuery) => {
        const request = ask(walletTrades, { wallet: address.toLowerCase(), ...pageParams(query) })
        return answered(Effect.flatMap(lane, found => laneResponse(version, found, request)))
      }
    })
    const arc = of(ownLane(lanes, "arc", 5042))
    const rh = of(ownLane(lanes, "rh", 4663))
    const keyed = (chain: string) => of(chainKeyedLane(lanes, chain))

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
