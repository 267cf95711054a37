/** A token as boards show it (spec part 2, Arc token board row). */
import { type FoldsView, once } from "../../../engine/query.ts"
import type { Change } from "../../../projections/markets/change.ts"
import type { Window } from "../../../projections/markets/window.ts"
import { pools } from "../../../projections/pools/output.ts"
import { type Prices, pricesOutput as prices } from "../../../projections/prices/output.ts"
import { type Tape, tapeOutput } from "../../../projections/tape/output.ts"
import { type Tokens, tokens } from "../../../projections/tokens/output.ts"
import { tokenFlags } from "../../../projections/tokens/token-flags.ts"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import { shownChain } from "../../../src/domain/shown-chain.ts"
import { type CuratedTokens, curatedTokensOf } from "../../../src/rules/curated-tokens.ts"
import { isOnePerSymbol, keptOf } from "../../../src/rules/listing-rule.ts"
import { leastWashed, type RuleSet, rulesOf } from "../../../src/rules/rule-sets.ts"
import type { WashRule } from "../../../src/rules/wash.ts"
import { ruleOfToken } from "./suspects.ts"

const MICRO = 1e6

/**
 * Listed are the chain's anchors and the tokens of its curated lists; where no list covers the
 * chain, tokens that tell their name, symbol and decimals, bear no flag and have a price with so
 * many dollars behind it.
 */
const LISTED_DEPTH_USD = 10_000

class TokenFacts {
  readonly flags: ReturnType<typeof tokenFlags>
  readonly tokens: Tokens
  readonly curated: CuratedTokens
  private readonly chain: ChainConfig
  private readonly anchors: ReadonlyMap<string, ReadonlyArray<string>>

  constructor(chain: ChainConfig, of: Tokens) {
    this.chain = chain
    this.tokens = of
    this.flags = tokenFlags(chain, of)
    this.curated = curatedTokensOf(chain)
    this.anchors = new Map(
      chain.anchors.map(({ address, kind }) => [
        address,
        kind === "usd"
          ? ["anchor", "stable"]
          : kind === "native"
            ? ["anchor", "native"]
            : ["anchor"]
      ])
    )
  }

  isAnchor(address: string): boolean {
    return this.anchors.has(address)
  }

  /** What it is to the chain, and what lists call it. */
  tagsOf(address: string): ReadonlyArray<string> {
    const own = this.anchors.get(address) ?? []
    const listed = this.curated.find(address)
    if (listed === undefined) return own
    const stock = listed.isStock ? ["stock"] : []
    return [...new Set([...own, ...stock, ...listed.tags])]
  }

  /** The anchors that the log knows. */
  anchorTokens(): ReadonlySet<number> {
    return this.known([...this.anchors.keys()])
  }

  /** The anchors and the tokens of lists, as far as the log knows them. */
  vouched(): ReadonlySet<number> {
    return this.known([...this.anchors.keys(), ...this.curated.all.map(({ address }) => address)])
  }

  private known(addresses: ReadonlyArray<string>): ReadonlySet<number> {
    const ids = addresses.map(address => this.tokens.find(idBytes(address)))
    return new Set(ids.filter(token => token >= 0))
  }

  get chainId(): number {
    return this.chain.id
  }

  /** Where the token's picture is. */
  logoOf(address: string): string {
    return `/v1/logo/${shownChain(this.chain)}/${address}`
  }

  /** Raw units of the supply as a double; 0 where it was not read. */
  supplyNumber(token: number): number {
    const { total_supply } = this.tokens.columns()
    let supply = 0
    for (let at = token * 32; at < token * 32 + 32; at++) {
      supply = supply * 256 + (total_supply[at] as number)
    }
    return supply
  }

  /** Raw units of the supply when it was last read; null where it was not. */
  supplyOf(token: number): bigint | null {
    const { total_supply } = this.tokens.columns()
    const bytes = total_supply.subarray(token * 32, token * 32 + 32)
    const supply = BigInt(`0x${Buffer.from(bytes).toString("hex")}`)
    return supply === 0n ? null : supply
  }
}

const facts = new WeakMap<Tokens, TokenFacts>()

/** What is kept of the tokens of a lane between questions. */
export const factsOf = ({ chain, output }: FoldsView): TokenFacts => {
  const tokenData = output(tokens)
  const known = facts.get(tokenData) ?? new TokenFacts(chain, tokenData)
  facts.set(tokenData, known)
  return known
}

const vouchedOf = once(context => factsOf(context).vouched())
const anchorsOf = once(context => factsOf(context).anchorTokens())

/** What a board needs to know of every token. */
export class TokenView {
  readonly facts: TokenFacts
  readonly window: Window
  private readonly prices: Prices
  private readonly vouched: ReadonlySet<number>
  private readonly anchors: ReadonlySet<number>
  private readonly activity: ReturnType<Tape["activity"]>
  private readonly rules: RuleSet
  private readonly leastWashed: number

  constructor(context: FoldsView, window: Window, rules: RuleSet = rulesOf(context.chain)) {
    this.facts = factsOf(context)
    this.window = window
    this.rules = rules
    this.leastWashed = leastWashed(rules)
    this.prices = context.output(prices)
    this.vouched = vouchedOf(context)
    this.activity = context.output(tapeOutput).activity()
    this.anchors = anchorsOf(context)
  }

  /** What the rules are called. */
  get rulesName(): string {
    const { wash, impostor } = this.rules
    return `${wash.version}.${impostor?.version ?? 0}`
  }

  /** Dollars a whole token; null where no pool may tell. */
  priceOf(token: number): number | null {
    const price = this.prices.priceOf(token)
    return price > 0 ? price : null
  }

  /** Unix seconds of the oldest state that the price goes back to; null without, or by rule. */
  priceTsOf(token: number): number | null {
    const told = this.prices.toldAt(token)
    return told > 0 && this.priceOf(token) !== null ? told : null
  }

  /**
   * The rule by which a token's trades are wash trading; null where none is. An anchor is money,
   * and its loops are those of its markets, which have flags of their own.
   */
  washRuleOf(token: number): WashRule | null {
    // of most tokens there are too few trades, which is cheap to see
    if ((this.window.ofTokens.columns.known[token] ?? 0) < this.leastWashed) return null
    return this.anchors.has(token) ? null : ruleOfToken(this.window, token, this.rules)
  }

  isWash(token: number): boolean {
    return this.washRuleOf(token) !== null
  }

  isImpostor(token: number): boolean {
    return this.facts.flags.isImpostor(token)
  }

  /** Of all tokens those that are listed, by token: 1. */
  listed(): Uint8Array {
    const { facts, vouched, prices } = this
    const count = facts.tokens.count()
    const listed = new Uint8Array(count)
    if (!facts.curated.covers) {
      for (let token = 0; token < count; token++) {
        if (prices.depthOf(token) >= LISTED_DEPTH_USD && this.isListed(token)) listed[token] = 1
      }
    }
    for (const token of vouched) listed[token] = 1
    return listed
  }

  isListed(token: number): boolean {
    const { facts } = this
    if (this.vouched.has(token)) return true
    if (facts.curated.covers) return false
    // most tokens have less: what is cheap to look at goes first
    if (!(this.prices.depthOf(token) >= LISTED_DEPTH_USD) || this.priceOf(token) === null)
      return false
    const { symbol, name } = facts.tokens.columns()
    if (!symbol[token] || !name[token] || Number.isNaN(facts.tokens.scale(token))) return false
    return !this.isImpostor(token) && !this.isWash(token)
  }

  /** How the price changed in the window; null without a price. */
  changeOf(token: number): Change | null {
    return this.told(token, this.window.changeOf(token))
  }

  /**
   * What its prints tell of a change: nothing of a token without a price, and 0 of a dollar that
   * costs $1 by rule.
   */
  told(token: number, change: Change | null): Change | null {
    if (this.priceOf(token) === null) return null
    return change !== null && this.prices.isOneDollar(token) ? { ...change, pct: 0 } : change
  }

  /** Distinct known wallets of the window; null where it has trades, and no wallet is known. */
  tradersOf(token: number): number | null {
    const { trades, known, makers } = this.window.ofTokens.columns
    return (trades[token] ?? 0) > 0 && (known[token] ?? 0) === 0 ? null : (makers[token] ?? 0)
  }

  marketCapOf(token: number): number | null {
    const price = this.priceOf(token)
    const supply = this.facts.supplyNumber(token)
    const scale = this.facts.tokens.scale(token)
    if (price === null || supply === 0 || Number.isNaN(scale)) return null
    return (supply / scale) * price
  }

  volumeOf(token: number): number {
    return this.volumeMicrosOf(token) / MICRO
  }

  /** The volume in micro-dollars, which sums of many are made of. */
  volumeMicrosOf(token: number): number {
    const { buy_usd, sell_usd } = this.window.ofTokens.columns
    return (buy_usd[token] ?? 0) + (sell_usd[token] ?? 0)
  }

  /** Unix seconds. */
  firstTradeOf(token: number): number {
    return this.activity.first_ts[token] as number
  }

  /** Whether a token has a better claim to a symbol than another: an anchor, then the busier. */
  outranks(token: number, other: number): boolean {
    const { facts } = this
    const isAnchor = facts.isAnchor(facts.tokens.addressOf(token))
    if (isAnchor !== facts.isAnchor(facts.tokens.addressOf(other))) return isAnchor
    return this.volumeOf(token) > this.volumeOf(other)
  }

  isFlagged(token: number): boolean {
    return this.isWash(token) || this.isImpostor(token)
  }

  /** Whether a stock token owns its ticker, and it is another; an anchor's symbol is its own. */
  private isNoStock(token: number, reading: string): boolean {
    const { flags, curated, tokens } = this.facts
    const stock = curated.stockOf(reading)
    return stock !== undefined && !flags.isProtected(token) && tokens.addressOf(token) !== stock
  }

  /** Of the tokens those that the chain's listing rule leaves on boards; all without a rule. */
  kept(tokens: ArrayLike<number> & Iterable<number>): ArrayLike<number> & Iterable<number> {
    const { tokens: known, chainId } = this.facts
    if (!isOnePerSymbol(chainId)) return tokens
    const { trades } = this.window.ofTokens.columns
    const all = [...tokens]
    const candidates = all.map(token => {
      const reading = known.symbols.of(token)
      const trades24h = trades[token] ?? 0
      return {
        token,
        reading,
        isUsurper: this.isImpostor(token) || this.isNoStock(token, reading),
        isWash: this.isWash(token),
        volume24h: trades24h > 0 ? this.volumeOf(token) : 0,
        trades24h
      }
    })
    const kept = keptOf(candidates)
    return all.filter(token => kept.has(token))
  }
}

/** The rows of tokens in this order. */
export const tokenRows = (context: FoldsView, view: TokenView, of: ReadonlyArray<number>) => {
  const { facts, window } = view
  const known = facts.tokens.columns()
  const sums = window.ofTokens.columns
  const { countsOf } = context.output(pools)
  const { last_ts } = context.output(tapeOutput).activity()
  return of.map(token => {
    const address = facts.tokens.addressOf(token)
    const { routable, pools: poolCounts } = countsOf(token)
    const trades = sums.trades[token] ?? 0
    const buys = sums.buys[token] ?? 0
    const change = view.changeOf(token)
    return {
      address,
      symbol: known.symbol[token] ?? null,
      name: known.name[token] ?? null,
      decimals: Number.isNaN(facts.tokens.scale(token)) ? null : (known.decimals[token] as number),
      logoURI: facts.logoOf(address),
      logoUriRaw: facts.curated.find(address)?.logoURI ?? null,
      tags: facts.tagsOf(address),
      listed: view.isListed(token),
      priceUsd: view.priceOf(token),
      priceTs: view.priceTsOf(token),
      change24hPct: change?.pct ?? null,
      changeSince: change?.since ?? null,
      volume24h: view.volumeOf(token),
      buyVolume24h: (sums.buy_usd[token] ?? 0) / MICRO,
      sellVolume24h: (sums.sell_usd[token] ?? 0) / MICRO,
      trades24h: trades,
      buys24h: buys,
      sells24h: trades - buys,
      traders: view.tradersOf(token),
      firstTradeTs: view.firstTradeOf(token),
      lastTradeTs: last_ts[token] as number,
      totalSupply: facts.supplyOf(token)?.toString() ?? null,
      marketCapUsd: view.marketCapOf(token),
      routable,
      pools: poolCounts,
      ...(view.isWash(token) ? { wash: true } : {}),
      ...(view.isImpostor(token) ? { impostor: true } : {})
    }
  })
}
