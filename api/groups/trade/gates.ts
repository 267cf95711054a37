/**
 * Safety gates of a quote: pools whose trades a rule calls wash trading take no part, and tokens
 * that nobody sells, that cannot be sold, or that keep much of their transfers are not quoted. What
 * is found once holds a while, so that most quotes wait for nothing.
 */
import { Clock, Context, Effect } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import type { UnsafeReason } from "../../../engine/trade/no-route.ts"
import type { QuoteOrder, QuoteOutcome } from "../../../engine/trade/quote.ts"
import type { TokenCheck } from "../../../engine/trade/token-check.ts"
import type { TradeSite } from "../../../engine/trade/trade.ts"
import {
  buyTax,
  isTaxed,
  sellTax,
  type TaxedToken,
  type TransferTaxes
} from "../../../engine/trade/transfer-taxes.ts"
import { hasPassed } from "../../../src/platform/elapsed.ts"
import { type TokenTradeFlags, tokenTradeFlags } from "./token-flags.query.ts"

/** Share that a token may keep of what is bought or sold; above it the token is not quoted. */
const MOST_TAX = 0.1
/** So many purchases within a day, and no sale: it looks as if nobody could sell. */
const MANY_BUYS = 20
/** Milliseconds for which a lane's flags of a token are not asked for anew, and hold at most. */
const FLAGS_MS = 60_000
const MOST_AGE_MS = 600_000
/** So long a quote waits for them; a lane that reads at full speed answers later. */
const WAIT_MS = 250
const MOST_TOKENS = 4096

/** What the gates found. */
export interface Gated {
  readonly suspects: ReadonlyArray<string>
  readonly taxed: ReadonlyArray<TaxedToken>
  /** why the order is not quoted at all */
  readonly refused: UnsafeReason | null
  readonly warnings: ReadonlyArray<string>
}

export const UNGATED: Gated = { suspects: [], taxed: [], refused: null, warnings: [] }

const percent = (share: number): string => `${Math.round(share * 1e4) / 100} %`

const taxWords = (token: string, taxes: TransferTaxes): string =>
  `token ${token} keeps ${percent(buyTax(taxes))} of purchases and ${percent(sellTax(taxes))} of sales`

/** All that was found, each thing once. */
const merged = (all: ReadonlyArray<Gated>): Gated => ({
  suspects: [...new Set(all.flatMap(({ suspects }) => suspects))],
  taxed: all.flatMap(({ taxed }) => taxed),
  refused: all.find(({ refused }) => refused !== null)?.refused ?? null,
  warnings: [...new Set(all.flatMap(({ warnings }) => warnings))]
})

interface Holding {
  readonly token: string
  readonly pool: string
}

/** What a trial of a token's transfers comes to. */
const ofCheck = ({ token, pool }: Holding, check: TokenCheck): Gated => {
  switch (check.state) {
    case "unknown":
      return { ...UNGATED, warnings: [`token ${token} was not tried: ${check.reason}`] }
    case "refuses": {
      const what = check.on === "buy" ? "bought" : "sold"
      const words = `token ${token} cannot be ${what}: ${check.reason}`
      return { ...UNGATED, refused: "honeypot", warnings: [words] }
    }
    case "moves": {
      const { taxes } = check
      if (!isTaxed(taxes)) return UNGATED
      const isMuch = buyTax(taxes) > MOST_TAX || sellTax(taxes) > MOST_TAX
      return {
        suspects: [],
        taxed: [{ token, pool, taxes }],
        refused: isMuch ? "transfer-tax" : null,
        warnings: [taxWords(token, taxes)]
      }
    }
  }
}

/** What a lane's flags of a token come to; null: they were not read. */
const ofFlags = (token: string, isBought: boolean, flags: TokenTradeFlags | null): Gated => {
  if (flags === null) {
    return { ...UNGATED, warnings: [`flags of token ${token} were not read: the chain is busy`] }
  }
  const { suspects, buys, sells, readsAs } = flags
  const isOneSided = isBought && buys >= MANY_BUYS && sells === 0
  return {
    suspects,
    taxed: [],
    refused: isOneSided ? "one-sided" : null,
    warnings: [
      ...(isOneSided ? [`token ${token} was bought ${buys} times in 24 hours and never sold`] : []),
      ...(readsAs === null ? [] : [`token ${token} passes itself off as ${readsAs}`])
    ]
  }
}

/** The contracts of the route that hold one of these tokens. */
const holdingsOf = (outcome: QuoteOutcome, tokens: ReadonlyArray<string>) => {
  const holdings = new Map<string, Holding>()
  for (const { tokenIn, tokenOut, call } of outcome.ok ? outcome.legs : []) {
    for (const token of [tokenIn, tokenOut]) {
      if (tokens.includes(token)) holdings.set(`${token} ${call.pool}`, { token, pool: call.pool })
    }
  }
  return [...holdings.values()]
}

interface KeptFlags {
  readonly flags: TokenTradeFlags
  readonly askedMs: number
  /** whether they are being asked for anew */
  readonly isAsked?: boolean
}

const asked = { concurrency: "unbounded" } as const

export class TradeGates {
  private readonly kept = new Map<string, KeptFlags>()

  /** What speaks against an order whose route is as found. Anchors are trusted. */
  of(
    lane: Lane,
    { checks }: TradeSite,
    { tokenIn, tokenOut }: QuoteOrder,
    outcome: QuoteOutcome
  ): Effect.Effect<Gated> {
    const { anchors, nativeToken } = lane.config
    const isTrusted = (token: string) =>
      BigInt(token) === 0n ||
      token === nativeToken ||
      anchors.some(({ address }) => address === token)
    const tokens = [tokenIn, tokenOut].filter(token => !isTrusted(token))
    const flags = Effect.forEach(
      tokens,
      token =>
        Effect.map(this.flagsOf(lane, token), judged => ofFlags(token, token === tokenOut, judged)),
      asked
    )
    const holdings = checks === null ? [] : holdingsOf(outcome, tokens)
    const trials = Effect.forEach(
      holdings,
      one =>
        Effect.map(checks?.check(one.token, one.pool) ?? Effect.never, check =>
          ofCheck(one, check)
        ),
      asked
    )
    return Effect.map(Effect.all([trials, flags], asked), all => merged(all.flat()))
  }

  /**
   * A lane's flags of a token. Those that are known answer at once, and are asked for anew beside
   * where they are older than `FLAGS_MS`; null where the lane does not tell in time.
   */
  private flagsOf(lane: Lane, token: string): Effect.Effect<TokenTradeFlags | null> {
    const { kept } = this
    const key = `${lane.config.key} ${token}`
    const asking = Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const answer = yield* lane.query(ask(tokenTradeFlags, { token }))
      if (!answer.ok) return null
      const flags = JSON.parse(new TextDecoder().decode(answer.body)) as TokenTradeFlags
      if (kept.size >= MOST_TOKENS) kept.clear()
      kept.set(key, { flags, askedMs: nowMs })
      return flags
    }).pipe(Effect.orElseSucceed(() => null))
    return Effect.gen(function* () {
      const known = kept.get(key)
      const nowMs = yield* Clock.currentTimeMillis
      if (known === undefined || hasPassed(known.askedMs, nowMs, MOST_AGE_MS)) {
        return yield* Effect.timeoutOrElse(asking, {
          duration: WAIT_MS,
          orElse: () => Effect.succeed(null)
        })
      }
      // one asks, others take what there is meanwhile
      if (hasPassed(known.askedMs, nowMs, FLAGS_MS) && !known.isAsked) {
        kept.set(key, { ...known, isAsked: true })
        yield* Effect.forkDetach(
          Effect.tap(asking, flags =>
            Effect.sync(() => {
              if (flags === null) kept.set(key, { ...known, isAsked: false })
            })
          )
        )
      }
      return known.flags
    })
  }
}

/** The gates of all quotes of this process. */
export class Gates extends Context.Service<Gates, TradeGates>()("swaptape/api/Gates") {}
