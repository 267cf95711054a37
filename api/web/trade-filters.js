// @ts-check
/** Which trades the tape shows: a side, a wallet, from so many dollars on. */

import { accountWords, isSolana, readAccount } from "./addresses.js"
import { byId, setText } from "./dom.js"

/** @typedef {import("./types.d.ts").TradeFilter} TradeFilter */

/** @type {(field: HTMLInputElement, text: string) => void} what is being typed stays as it is */
const fill = (field, text) => {
  if (document.activeElement !== field) field.value = text
}

export class TradeFilters {
  #side = byId("filter-side", HTMLSelectElement)
  #min = byId("filter-min", HTMLInputElement)
  #wallet = byId("filter-wallet", HTMLInputElement)
  #problem = byId("filter-problem", HTMLElement)
  /** of the trades */
  #chain = ""

  /** @param {(filter: TradeFilter) => void} onChange */
  constructor(onChange) {
    const change = () => {
      const filter = this.#read()
      if (filter !== null) onChange(filter)
    }
    byId("filters", HTMLFormElement).addEventListener("submit", event => {
      event.preventDefault()
      change()
    })
    for (const field of [this.#side, this.#min, this.#wallet]) {
      field.addEventListener("change", change)
    }
  }

  /** @param {TradeFilter & { readonly chain: string }} filter */
  show({ chain, side, wallet, minUsd }) {
    this.#chain = chain
    this.#wallet.placeholder = isSolana(chain) ? "Wallet" : "Wallet 0x…"
    this.#side.value = side ?? ""
    fill(this.#min, minUsd === null ? "" : String(minUsd))
    fill(this.#wallet, wallet ?? "")
  }

  /** Null where what is typed is not understood, which is said. @returns {TradeFilter | null} */
  #read() {
    const [text, typed] = [this.#min.value.trim(), this.#wallet.value.trim()]
    const wallet = readAccount(this.#chain, typed)
    const minUsd = text === "" ? null : Number(text)
    const isBadSum = minUsd !== null && !(minUsd > 0 && Number.isFinite(minUsd))
    const isBadWallet = typed !== "" && wallet === null
    const words = [
      ...(isBadSum ? ["The smallest trade is a number of dollars above 0."] : []),
      ...(isBadWallet ? [`A wallet is ${accountWords(this.#chain)}.`] : [])
    ]
    setText(this.#problem, words.join(" "))
    this.#min.setAttribute("aria-invalid", String(isBadSum))
    this.#wallet.setAttribute("aria-invalid", String(isBadWallet))
    if (isBadSum || isBadWallet) return null
    const side = this.#side.value
    return {
      side: side === "buy" || side === "sell" ? side : null,
      wallet,
      minUsd
    }
  }
}
