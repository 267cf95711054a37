/**
 * What changed in the contract, day by day, newest first: the one source of `/v1/changelog` and of
 * the contract's version, which is the newest day. Whoever adds, changes or removes a route, a
 * parameter, a field, a code or a frame adds a change here, under the day on which it is made.
 */
import { type ContractDay, family } from "./contract-day.ts"
import { EARLIER_DAYS } from "./earlier-days.ts"

export const CONTRACT_DAYS: ReadonlyArray<ContractDay> = [
  {
    date: "2026-11-29",
    changes: [
      {
        kind: "added",
        routes: family("token/{address}/trades"),
        text: "`unknown`: of which time trades may be missing, as other pages of trades tell it."
      },
      {
        kind: "changed",
        routes: ["/v1/chains/solana/liquidity/wallets"],
        text: "`firstTs` and `lastTs` of `unowned` are null where every change names its owner; they were 0."
      },
      {
        kind: "fixed",
        routes: ["/v1/candles/proof"],
        text: "`hash` is null of a bucket whose trades are not kept; it was that of no trades."
      }
    ]
  },
  {
    date: "2026-11-28",
    changes: [
      {
        kind: "fixed",
        routes: ["/v1/chains/{chain}/token/{address}/pools"],
        text: "`feePct` of pools of Raydium AMM v4 is 0.25, as its program has it for all; it was null."
      },
      {
        kind: "added",
        routes: [
          "/v1/candles/proof",
          "/v1/chains/{chain}/token/{address}/trades",
          "/v1/tokens/trades/{address}",
          "/v1/ws/live",
          "/v1/stream/market",
          ...family("prints", "wallet/{address}/trades")
        ],
        text: "`quoteAmount` of every print: whole tokens of the other token of the swap, null while its decimals are unknown."
      },
      {
        kind: "changed",
        routes: ["/v1/candles/proof"],
        text: "`quoteAmt` of swaps of a pair is gone: it is their `quoteAmount`."
      },
      {
        kind: "fixed",
        routes: [
          ...["overview", "status", "search", "smart-traders", "traders"],
          ...["token/{address}/candles", "token/{address}/traders"],
          ...["events", "pools", "positions", "wallets"].map(name => `liquidity/${name}`)
        ].map(path => `/v1/chains/solana/${path}`),
        text: "Solana's id (1399811149) and other letter cases of `solana` stand for it in these paths too; they were 404, or answered as another chain's overview and status."
      },
      {
        kind: "changed",
        routes: ["/v1/mcp", "/v1/mcp/tools.json"],
        text: "Tools list a token as `token`, a wallet as `wallet`, a pool as `pool`, where they listed some as `address`. They take `address` for the one of these that is meant; where it may be one or another, as of candles a token or a pool, the call is refused and they are named."
      },
      {
        kind: "added",
        routes: ["/v1/status"],
        text: "`source.repairs.lastTry` of a lane: which missing blocks were asked for last, when, and why they are still missing. The lane's problem tells it too; a gap's `reason` is that of its finding."
      },
      {
        kind: "added",
        routes: ["/v1/status"],
        text: "`source.grades` of Solana may count `unlogged`: blocks that two endpoints tell alike, of some of whose transactions nobody tells the log. Such blocks count as one node's word."
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
  ...EARLIER_DAYS
]

/** The version of the contract: the day of its newest change. */
export const CONTRACT_VERSION = CONTRACT_DAYS[0]?.date ?? ""
