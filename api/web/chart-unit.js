// @ts-check
/** The chart's two choices: what prices are in, and of which pool. */

import { background } from "./background.js"
import { byId, element } from "./dom.js"
import { familyOf } from "./family.js"
import { poolName } from "./marks.js"
import { QUOTES } from "./state.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").CandleUnit} CandleUnit */
/** @typedef {import("./types.d.ts").TokenRoute} TokenRoute */

/** Pools that can be chosen here; the tab of pools has them all. */
const POOLS_SHOWN = 20

/** @type {(value: string, text: string) => HTMLOptionElement} */
const option = (value, text) => {
  const made = element("option", {}, text)
  made.value = value
  return made
}

export class ChartUnit {
  #unit = byId("chart-unit", HTMLSelectElement)
  #pool = byId("chart-pool", HTMLSelectElement)
  #ending = new AbortController()
  /** chain and token whose pools are on the list */
  #of = ""
  /** @type {ReadonlyArray<{ pool: string, name: string }>} */
  #pools = []

  /** @param {(unit: CandleUnit) => void} onChange */
  constructor(onChange) {
    this.#unit.append(...QUOTES.map(({ quote, name }) => option(quote, name)))
    const change = () => {
      const pool = this.#pool.value || null
      const quote = QUOTES.find(each => each.quote === this.#unit.value)?.quote ?? "usd"
      // quote tokens are those of one pool
      const isLost = quote === "token" && pool === null
      onChange({ pool, quote: isLost ? "usd" : quote })
    }
    this.#unit.addEventListener("change", change)
    this.#pool.addEventListener("change", change)
  }

  /** @param {Chain} chain @param {TokenRoute} route */
  show(chain, { token, quote, pool }) {
    const of = `${chain.key} ${token}`
    if (of !== this.#of) this.#read(chain, token, of)
    this.#unit.value = quote
    for (const each of this.#unit.options) each.disabled = each.value === "token" && pool === null
    this.#fill(pool)
  }

  hide() {
    this.#ending.abort(new Error("the chart is closed"))
    this.#of = ""
  }

  /** @param {string | null} chosen may be one that the list lacks */
  #fill(chosen) {
    const known = this.#pools.some(each => each.pool === chosen) || chosen === null
    const pools = known ? this.#pools : [...this.#pools, { pool: chosen, name: chosen }]
    const text = pools.map(({ pool }) => pool).join()
    if (this.#pool.dataset["pools"] !== text || this.#pool.options.length === 0) {
      this.#pool.dataset["pools"] = text
      const all = option("", "All pools")
      this.#pool.replaceChildren(all, ...pools.map(({ pool, name }) => option(pool, name)))
    }
    this.#pool.value = chosen ?? ""
  }

  /** @param {Chain} chain @param {string} token @param {string} of */
  #read(chain, token, of) {
    this.#ending.abort(new Error("another token is shown"))
    this.#ending = new AbortController()
    this.#of = of
    this.#pools = []
    const { signal } = this.#ending
    background(async () => {
      // without the list there is one pool fewer to choose, and nothing else is amiss
      const answer = await familyOf(chain.key)
        .pools(token, { signal })
        .catch(() => null)
      if (answer === null || signal.aborted) return
      const pools = answer.body.pools.slice(0, POOLS_SHOWN)
      this.#pools = pools.map(row => ({ pool: row.pool, name: poolName(row) }))
      this.#fill(this.#pool.value || null)
    }, signal)
  }
}
