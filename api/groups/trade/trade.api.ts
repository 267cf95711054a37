/** Quotes and swaps (spec, 4.1). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_BODY, ANY_LANE_ROUTE, failure, NO_ROUTER, ROUTER_FAILED } from "../../errors.ts"
import { documented, schemasOf } from "../../parameters.ts"
import { Quote, quoteQuery } from "./quote.api.ts"
import { calldataQuery, QuotedSwap, SimulateBody, Simulation, Swap, SwapBody } from "./swap.api.ts"

export const TradeApi = HttpApiGroup.make("trade")
  .add(
    HttpApiEndpoint.get("getQuote", "/quote", {
      query: schemasOf(quoteQuery),
      success: Quote,
      error: [...ANY_LANE_ROUTE, ROUTER_FAILED, NO_ROUTER]
    }).annotateMerge(
      documented({
        toldBy: "others",
        tool: "quote",
        summary: "Quote",
        description:
          "The best route for an order over all venues of the chain, split across pools and through anchor tokens where that pays for its gas. Computed from the pools' states as the log tells them, to the raw unit: the same position gives the same route. An empty `routePlan` with `outputAmount` 0 means no route at this size, and `noRouteReason` says why. Good for 30 seconds.",
        parameters: quoteQuery
      })
    ),
    HttpApiEndpoint.post("postSwap", "/swap", {
      payload: SwapBody,
      success: Swap,
      error: [
        ...ANY_LANE_ROUTE,
        failure(400, "SLIPPAGE_MISMATCH", "ROUTE_MISMATCH", "QUOTE_EXPIRED"),
        failure(404, "NO_ROUTE"),
        ...ANY_BODY,
        NO_ROUTER
      ]
    }).annotateMerge(
      documented({
        toldBy: "others",
        summary: "Build a swap",
        description:
          "Turns a quote, echoed without edits, into an unsigned transaction for the router contract. Its least output is the quote's `otherAmountThreshold`. Says what is to be approved first."
      })
    ),
    HttpApiEndpoint.get("getCalldata", "/swap/calldata", {
      query: schemasOf(calldataQuery),
      success: QuotedSwap,
      error: [...ANY_LANE_ROUTE, failure(404, "NO_ROUTE"), ROUTER_FAILED, NO_ROUTER]
    }).annotateMerge(
      documented({
        toldBy: "others",
        tool: "swap",
        summary: "Quote and build in one call",
        description: "What `GET /v1/quote` and `POST /v1/swap` answer one after the other.",
        parameters: calldataQuery
      })
    ),
    HttpApiEndpoint.post("postSimulate", "/swap/simulate", {
      payload: SimulateBody,
      success: Simulation,
      error: [...ANY_LANE_ROUTE, ...ANY_BODY, NO_ROUTER, failure(503, "TRADE_UNAVAILABLE")]
    }).annotateMerge(
      documented({
        toldBy: "others",
        summary: "Simulate a built swap",
        description:
          "Runs a transaction of `POST /v1/swap` on the newest block, as the taker, before it is signed. `revert` names the cause and what to do. 503 where the chain has no node to ask."
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Trade",
      description: "Quotes from the log, and unsigned transactions. No keys, no funds."
    })
  )
