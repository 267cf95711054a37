/**
 * Rows of boards as JSON, kept while nothing changes of what they tell: to look whether it did costs
 * a twentieth of making a row.
 */
import type { QueryContext } from "../../engine/projection.ts"
import { pools } from "../pools/output.ts"
import { tapeOutput } from "../tape/output.ts"
import { boardsOutput } from "./board-memory.ts"
import { type TokenView, tokenRows } from "./token-row.ts"

type Memory = Omit<QueryContext, "rows" | "columns">

/** Rows kept at most, some 1,000 bytes each: the first made go first. */
const MOST = 4096
const SUPPLY_BYTES = 32

/** What a row is made of. */
interface Told {
  readonly symbol: string | null
  readonly name: string | null
  readonly supply: Uint8Array
  /** all that is a number, or whether something is; NaN for null */
  readonly numbers: ReadonlyArray<number>
}

interface Kept extends Told {
  readonly text: string
}

const isSame = (a: Told, b: Told): boolean => {
  if (a.symbol !== b.symbol || a.name !== b.name) return false
  for (let i = 0; i < a.numbers.length; i++)
    if (!Object.is(a.numbers[i], b.numbers[i])) return false
  for (let i = 0; i < SUPPLY_BYTES; i++) if (a.supply[i] !== b.supply[i]) return false
  return true
}

/** What rows are made of, of tokens of one commit. */
const tellerOf = (context: Memory, view: TokenView): ((token: number) => Told) => {
  const { tokens } = view.facts
  const { symbol, name, decimals, total_supply } = tokens.columns()
  const { trades, buys, buyUsd, sellUsd, makers } = view.window.ofTokens.columns
  const { last_ts } = context.output(tapeOutput).activity()
  const allPools = context.output(pools)
  const { pools: index } = context.output(boardsOutput)
  return token => ({
    symbol: symbol[token] ?? null,
    name: name[token] ?? null,
    supply: total_supply.subarray(token * SUPPLY_BYTES, (token + 1) * SUPPLY_BYTES),
    numbers: [
      decimals[token] as number,
      tokens.scale(token),
      view.priceOf(token) ?? Number.NaN,
      view.changeOf(token) ?? Number.NaN,
      buyUsd[token] ?? 0,
      sellUsd[token] ?? 0,
      trades[token] ?? 0,
      buys[token] ?? 0,
      makers[token] ?? 0,
      last_ts[token] as number,
      index.stampOf(allPools, token),
      view.isListed(token) ? 1 : 0,
      view.isWash(token) ? 1 : 0,
      view.isImpostor(token) ? 1 : 0
    ]
  })
}

export class RowTexts {
  private readonly kept = new Map<number, Kept>()

  /** The rows of tokens in this order, as a list in JSON. */
  of(context: Memory, view: TokenView, tokens: ReadonlyArray<number>): string {
    const teller = tellerOf(context, view)
    const told = tokens.map(teller)
    const missing = tokens.filter((token, i) => {
      const known = this.kept.get(token)
      return known === undefined || !isSame(known, told[i] as Told)
    })
    const made = new Map(
      tokenRows(context, view, missing).map((row, i) => [missing[i], JSON.stringify(row)] as const)
    )
    const texts = tokens.map((token, i) => {
      const text = made.get(token)
      if (text === undefined) return this.kept.get(token)?.text as string
      const { supply, ...rest } = told[i] as Told
      this.kept.delete(token)
      this.kept.set(token, { ...rest, supply: supply.slice(), text })
      return text
    })
    for (const token of this.kept.keys()) {
      if (this.kept.size <= MOST) break
      this.kept.delete(token)
    }
    return `[${texts.join(",")}]`
  }

  clear(): void {
    this.kept.clear()
  }
}
