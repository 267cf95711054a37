/**
 * What changed in the contract, day by day, newest first: the one source of `/v1/changelog` and of
 * the contract's version, which is the newest day. Whoever adds, changes or removes a route, a
 * parameter, a field, a code or a frame adds a change here, under the day on which it is made.
 */

/** What a change asks of clients: `added` and `fixed` nothing, the others that they look. */
export const CHANGE_KINDS = ["added", "changed", "fixed", "removed"] as const

export interface ContractChange {
  readonly kind: (typeof CHANGE_KINDS)[number]
  /** paths as the contract has them; the live socket's among them; none where all are meant */
  readonly routes: ReadonlyArray<string>
  /** for people */
  readonly text: string
}

export interface ContractDay {
  /** as 2026-01-31, UTC */
  readonly date: string
  readonly changes: ReadonlyArray<ContractChange>
}

/** The paths of a family of chains. */
const family = (...below: ReadonlyArray<string>): ReadonlyArray<string> =>
  ["arc", "rh", "chains/{chain}"].flatMap(place => below.map(path => `/v1/${place}/${path}`))

/** The paths of the two chains that have families of their own. */
const ownFamilies = (...below: ReadonlyArray<string>): ReadonlyArray<string> =>
  ["arc", "rh"].flatMap(place => below.map(path => `/v1/${place}/${path}`))

export const CONTRACT_DAYS: ReadonlyArray<ContractDay> = [
  {
    date: "2026-11-28",
    changes: [
      {
        kind: "added",
        routes: ["/v1/status"],
        text: "`source.repairs.lastTry` of a lane: which missing blocks were asked for last, when, and why they are still missing. The lane's problem tells it too; a gap's `reason` is that of its finding."
      },
      {
        kind: "added",
        routes: ["/v1/mcp", "/v1/mcp/tools.json"],
        text: "Tools `swaptape_liquidity_pools`, `_events` and `_positions`. Tools that answer for one chain alone take its name as `chain` (`solana`, `rh`), or none; it was refused."
      },
      {
        kind: "fixed",
        routes: [
          "/v1/chains/solana/liquidity/events",
          "/v1/chains/{chain}/tokens/search",
          "/v1/chains/solana/search",
          "/v1/tokens/search",
          "/v1/logo/{chain}/{address}"
        ],
        text: "The address of zeros stands for the chain's native unit here too, as `token` of Solana's changes of liquidity, as `q` of searches and in pictures: it found nothing, and had a picture of its own."
      },
      {
        kind: "changed",
        routes: ["/v1/chains/solana/token/{address}/traders"],
        text: "`heldAmount` is bought less sold also where a wallet sold more than it bought (`partial`), so less than 0; it was 0 there. `heldValueUsd` is 0 there as before."
      },
      {
        kind: "fixed",
        routes: ["/v1/chains/solana/status"],
        text: "`gate.reasons` say why the newest hour is not recounted: blocks of it are missing or of files. They said that no whole hour had been read yet."
      },
      {
        kind: "fixed",
        routes: [
          "/v1/chains/{chain}/token/{address}",
          "/v1/chains/solana/liquidity/events",
          "/v1/chains/solana/liquidity/pools",
          "/v1/chains/solana/liquidity/wallets"
        ],
        text: "A token of Solana that graduates is priced at once by the pool that its curve moved into, and so is what was put into it; prices were null for 300 seconds. Reserves of such a curve are 0; they were null."
      },
      {
        kind: "fixed",
        routes: ["/v1/chains/solana/token/{address}/traders"],
        text: "The address of zeros (`11111111111111111111111111111111`) answers as wrapped SOL, as on the other routes of a token; it was 404 `TOKEN_NOT_FOUND`."
      },
      {
        kind: "fixed",
        routes: ["/v1/logo/{chain}/{address}"],
        text: "An address that is none of the chain is refused with 400 `BAD_ADDRESS`, also where it has the letters and length of base58; it was drawn."
      },
      {
        kind: "changed",
        routes: ["/v1/chains/{chain}/token/{address}/holders"],
        text: "On Solana, where transfers are not read, holders are refused with 400 `UNSUPPORTED_CHAIN`; it was 503, as if they came later. The directory of chains names no route of them there."
      },
      {
        kind: "changed",
        routes: [
          "/v1/chains/solana/smart-traders",
          "/v1/chains/solana/traders",
          "/v1/chains/{chain}/tokens"
        ],
        text: "What Solana cannot answer yet is 503 `CHAIN_DATA_UNAVAILABLE` on all of its routes, also before the first board of traders; it was `NOT_READY`, which these do not have."
      },
      {
        kind: "added",
        routes: ["/v1/chains/solana/liquidity/positions"],
        text: "`position` tells an owner's positions apart; fees that positions were paid are in `collects`, `collected0`, `collected1` and `collectedUsd`."
      },
      {
        kind: "fixed",
        routes: ["/v1/chains/solana/smart-traders"],
        text: "A position that sold beyond what it bought, by up to a tenth of its amount, counts at its average cost; others are in `unpricedTokens`. They were left out of both."
      },
      {
        kind: "fixed",
        routes: family("tokens"),
        text: "`routable` is true where a pool of the token can be quoted: it was true for every token of Solana, where none is."
      },
      {
        kind: "fixed",
        routes: ["/v1/chains/solana/liquidity/pools", "/v1/chains/{chain}/token/{address}/pools"],
        text: "`depthUsd` and `reserves` of Solana's curves, and the liquidity of their tokens, are what curves hold, without virtual reserves."
      },
      {
        kind: "added",
        routes: ["/v1/status"],
        text: "`quarantinedLogs` of a lane: the newest 20 logs that were not read, with block, transaction and reason. On Solana a swap that the balances of its vaults contradict is one of them: it becomes no fact."
      },
      {
        kind: "added",
        routes: ["/v1/status"],
        text: "`simulated` of a lane tells that its log is of a simulated chain, also while no source of it runs; so does that of Solana's status, which was false then."
      },
      {
        kind: "added",
        routes: ["/v1/chains/solana/smart-traders", "/v1/chains/solana/traders"],
        text: "`problem` tells why a board may be older than it should be, or show swaps that were taken back; `checked.readProblem` of smart traders why swaps of candidates could not be read."
      },
      {
        kind: "added",
        routes: [
          "/v1/chains/solana/overview",
          "/v1/chains/solana/status",
          "/v1/chains/solana/search",
          "/v1/chains/solana/token/{address}/candles"
        ],
        text: "Solana: totals, the ingest with its gate, search, candles of a token. All other routes of a chain answer for `solana` too: addresses are base58 there, `chain` is `solana`, `updatedAt` in seconds, a mint that never traded 404 `TOKEN_NOT_FOUND`, 503 `CHAIN_NOT_ENABLED` where it is off."
      },
      {
        kind: "added",
        routes: ["/v1/status"],
        text: "`source.decode`: what decoding came to where each swap is checked against the vaults; null elsewhere."
      },
      {
        kind: "added",
        routes: ["/v1/chains/solana/token/{address}/traders"],
        text: "The wallets that traded a token of Solana most in the last 1 to 48 hours, with their profit at average cost. Codes `BAD_HOURS` and `TOKEN_NOT_FOUND`."
      },
      {
        kind: "added",
        routes: ["pools", "events", "positions", "wallets"].map(
          name => `/v1/chains/solana/liquidity/${name}`
        ),
        text: "Liquidity of Solana: pools by depth or volume, what was added and removed, positions of a pool or a wallet, and the wallets that added most."
      },
      {
        kind: "added",
        routes: ["/v1/chains/solana/smart-traders", "/v1/chains/solana/traders"],
        text: "Boards of wallets on Solana: who trades well in 1, 3 or 7 days, and who made or traded most today."
      },
      {
        kind: "added",
        routes: ["/v1/rules"],
        text: "`bot`, `dayTraders` and `smartTraders`: the rules behind boards of wallets."
      }
    ]
  },
  {
    date: "2026-11-27",
    changes: [
      {
        kind: "added",
        routes: ["/v1/status", "/v1/health", "/v1/health/chains"],
        text: "`streams` of the status, and `warnings` of health: what the small streams lost that engines on one log server share (`KEYS`, `QUOTES`, `PROBES`), and what to do."
      },
      {
        kind: "changed",
        routes: [],
        text: "No field of a row is required where `fields` chooses from its list (`x-rows` of the parameter names the list): answers to requests with it had not the declared form. Without it all of them are there, as before."
      }
    ]
  },
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

/** The version of the contract: the day of its newest change. */
export const CONTRACT_VERSION = CONTRACT_DAYS[0]?.date ?? ""
