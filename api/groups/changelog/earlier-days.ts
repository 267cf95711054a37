/** Days of changes that are past, newest first: `contract-changes.ts` goes on with them. */
import { type ContractDay, family, ownFamilies } from "./contract-day.ts"

export const EARLIER_DAYS: ReadonlyArray<ContractDay> = [
  {
    date: "2026-11-26",
    changes: [
      {
        kind: "added",
        routes: ["/v1/devchain/wallet"],
        text: "`eth_getBalance`, `eth_gasPrice` and `eth_call`, answered in `value`."
      },
      {
        kind: "fixed",
        routes: ["/v1/swap"],
        text: "`permit2` is refused (400) where the router contract has no Permit2, as on simulated chains: such a swap reverted."
      },
      {
        kind: "fixed",
        routes: ["/v1/swap/simulate"],
        text: "`revert` of a moved price says where quotes are of an old block, and why."
      },
      {
        kind: "fixed",
        routes: ["/v1/quote", "/v1/meta/quote"],
        text: "`noRouteReason` of a tiny order is `amount-too-small` also where a hop's rounding takes all of it, before `no-liquidity` or `thin`."
      },
      {
        kind: "added",
        routes: [...family("tokens"), "/v1/ws/live", "/v1/stream/market"],
        text: "`sort=new` of boards: the tokens of the newest first trades. `firstTradeTs` on the rows of tokens. The live boards take `includeUnlisted` too."
      },
      {
        kind: "added",
        routes: [],
        text: "`/v1/openapi.json` names the header of a key as a security scheme, and gives an example of each parameter that must be given. `/v1/asyncapi.json` names the address it was read from, `format` and the key."
      },
      {
        kind: "changed",
        routes: ["/v1/ws/live"],
        text: "A parameter besides `format` is 400 `INVALID_PARAMS`, as on all routes: a mistyped one had opened a socket in JSON."
      },
      {
        kind: "added",
        routes: ["/v1/swap", "/v1/swap/calldata", "/v1/meta/swap"],
        text: "`transaction.gas`: the gas limit to send it with. An estimate of the wallet's own ran out where the pool moved before the block."
      },
      {
        kind: "added",
        routes: ["/v1/swap/simulate", "/v1/devchain/wallet"],
        text: "`gas` (of `call`) is the limit that a transaction is tried and sent with; a simulation's cause may be `out-of-gas`."
      },
      {
        kind: "added",
        routes: ["/v1/changelog"],
        text: "The changes of the contract. `info.version` of `/v1/openapi.json` is the newest day."
      },
      {
        kind: "added",
        routes: ["/v1/ws/live", "/v1/stream/market"],
        text: "`sub` of a subscription stands in all its frames. `more` on the socket: frames of the same position follow, so a reader that is cut there resumes from one position before."
      },
      {
        kind: "added",
        routes: ["/v1/agent/stats"],
        text: "Calls of the MCP server's tools, by tool and by chain."
      },
      {
        kind: "added",
        routes: ["/v1/account/key"],
        text: "What the caller's own `X-API-Key` allows and has used. A key that opens nothing is 401 `INVALID_API_KEY` everywhere."
      },
      {
        kind: "added",
        routes: ["/v1/ws/live", "/v1/stream/market", "/v1/asyncapi.json"],
        text: "Channels `boards` and `status`; trades of a chain, a pool, a wallet, and from `minUsd` on; candles of a pool; `format=msgpack`. The same as server-sent events."
      },
      {
        kind: "added",
        routes: ["/v1/tokens/trades/{address}", ...family("prints", "wallet/{address}/trades")],
        text: "`unknown`: stretches of all time of which trades may be missing, also of those that `stats24h` sums."
      },
      {
        kind: "added",
        routes: ["/v1/quote"],
        text: "`only` with a key quotes one venue, past the safety gates."
      },
      {
        kind: "added",
        routes: ["/v1/status", "/v1/chains"],
        text: "`uptime` by day and chain, measured from outside; `ok` and `problem` of each chain."
      },
      {
        kind: "added",
        routes: ["/v1/status", ...family("status")],
        text: "`quotes.warnings`: what is wrong with the router while its quotes go on, as a disk that is full."
      },
      {
        kind: "added",
        routes: [
          ...["/v1/candles", "/v1/tokens", "/v1/tokens/stats/{address}"],
          ...family("overview", "venues", "tokens")
        ],
        text: "`unknown`: the time of the answer's windows of which the log knows nothing; also on other answers about windows."
      },
      {
        kind: "changed",
        routes: ["/v1/mcp", "/v1/swap", "/v1/swap/simulate", "/v1/meta/swap"],
        text: "`BODY_UNAVAILABLE` in place of `MCP_UNAVAILABLE`, where too many requests are sending their bodies."
      },
      {
        kind: "changed",
        routes: ownFamilies("launchers"),
        text: "`unattributed` in place of `unknown`, which is now the time that is unknown."
      },
      {
        kind: "added",
        routes: ["/v1/quote", "/v1/swap", "/v1/swap/calldata", "/v1/swap/simulate"],
        text: "Quotes over all venues of a chain, and unsigned swaps of them, built and tried."
      },
      {
        kind: "added",
        routes: ["/v1/meta/quote", "/v1/meta/swap", "/v1/meta/providers", "/v1/meta/why/{quoteId}"],
        text: "Quotes and swaps of the router, or of an aggregator where it has none."
      },
      {
        kind: "added",
        routes: ["/v1/devchain/wallet"],
        text: "An account of a simulated chain, for whoever tries swaps by hand."
      }
    ]
  },
  {
    date: "2026-11-24",
    changes: [
      {
        kind: "added",
        routes: ["/v1/mcp", "/v1/mcp/tools.json", "/v1/mcp/server-card"],
        text: "The API for agents, by the Model Context Protocol."
      },
      {
        kind: "changed",
        routes: ["/v1/ws/live"],
        text: "A message with an unknown field is refused with the nearest name. It was obeyed without."
      }
    ]
  },
  {
    date: "2026-11-23",
    changes: [
      {
        kind: "added",
        routes: [],
        text: "The header `X-Log` names the log that `X-Log-Seq` is a position of."
      },
      {
        kind: "fixed",
        routes: ["/v1/candles"],
        text: "`buyers` and `sellers` are null, and not 0, where the log names no sender."
      }
    ]
  },
  {
    date: "2026-11-22",
    changes: [
      {
        kind: "added",
        routes: ["/v1/health/chains"],
        text: "The health of each chain, with 200."
      },
      {
        kind: "changed",
        routes: [],
        text: "A parameter that a route has not is refused with the nearest name. It was ignored."
      },
      {
        kind: "added",
        routes: ["/v1/ws/live"],
        text: "`hello` tells the oldest position to resume from; answers repeat a message's `id`."
      }
    ]
  },
  {
    date: "2026-11-21",
    changes: [
      {
        kind: "added",
        routes: [
          ...["/metrics", "/v1/health", "/v1/status", "/v1/chains", "/v1/rules", "/v1/ws/live"],
          ...["/v1/candles", "/v1/candles/proof", "/v1/logo/{chain}/{address}"],
          ...["/v1/flags/explain", "/v1/prices/explain"],
          ...["/v1/tokens", "/v1/tokens/market", "/v1/tokens/search"],
          ...["chart", "stats", "trades"].map(name => `/v1/tokens/${name}/{address}`),
          ...family("overview", "venues", "tokens", "status", "trending", "attention", "prints"),
          ...family("tokens/search", "token/{address}", "wallet/{address}"),
          ...["holders", "pools", "trades"].flatMap(name => family(`token/{address}/${name}`)),
          ...family("wallet/{address}/trades"),
          ...ownFamilies("graduated", "launchers"),
          "/v1/rh/stocks"
        ],
        text: "The first contract: chains, boards, tokens, candles, wallets, prints, the live socket."
      }
    ]
  }
]
