// @ts-check
/** The token field: a combobox over the chain's tokens; a pasted address opens any token. */

import { byId, element } from "./dom.js"
import { cleanLabel, formatPrice } from "./format.js"
import { symbolOf } from "./market-header.js"
import { isAddress } from "./state.js"

/** @typedef {import("./types.d.ts").Token} Token */

/** More matches than anyone reads; typing narrows them. */
const SHOWN_MAX = 60

/**
 * Tokens whose symbol, name or address has the text: symbols that begin with it first.
 *
 * @param {ReadonlyArray<Token>} tokens
 * @param {string} text
 * @returns {Token[]} at most SHOWN_MAX, else in the list's order
 */
export const findTokens = (tokens, text) => {
  const wanted = text.trim().toLowerCase()
  if (wanted === "") return tokens.slice(0, SHOWN_MAX)
  /** @type {(token: Token) => number} */
  const rank = ({ symbol, name, address }) => {
    if (symbol?.toLowerCase().startsWith(wanted)) return 0
    if (symbol?.toLowerCase().includes(wanted) || name?.toLowerCase().includes(wanted)) return 1
    return wanted.length > 3 && address.includes(wanted) ? 2 : 3
  }
  const ranked = tokens.map(token => ({ token, rank: rank(token) })).filter(each => each.rank < 3)
  ranked.sort((a, b) => a.rank - b.rank)
  const found = ranked.slice(0, SHOWN_MAX).map(each => each.token)
  if (found.length > 0 || !isAddress(wanted)) return found
  return [{ address: wanted, symbol: null, name: null, priceUsd: null, change24hPct: null }]
}

/** @type {(token: Token, index: number, isActive: boolean) => HTMLElement} */
const optionOf = (token, index, isActive) => {
  const name = element("span", { class: "option-name" })
  name.append(element("bdi", {}, symbolOf(token)))
  if (token.name) name.append(" ", element("bdi", { class: "muted" }, cleanLabel(token.name, 48)))
  const price = token.priceUsd === null ? "" : `$${formatPrice(token.priceUsd)}`
  return element(
    "div",
    {
      role: "option",
      id: `token-option-${index}`,
      "aria-selected": String(isActive),
      "data-index": String(index)
    },
    name,
    element("span", {}, price),
    element("small", {}, token.address)
  )
}

const NOTHING = "No token matches. Paste its address."

export class TokenBox {
  #onChoose
  #input = byId("token", HTMLInputElement)
  #list = byId("token-list", HTMLElement)
  /** @type {ReadonlyArray<Token>} */
  #tokens = []
  /** @type {Token[]} */
  #found = []
  /** @type {Token | null} */
  #chosen = null
  #active = 0

  /** @param {{ onChoose: (token: Token) => void }} options */
  constructor({ onChoose }) {
    this.#onChoose = onChoose
    this.#listen()
  }

  /** @param {ReadonlyArray<Token>} tokens the chain's */
  setTokens(tokens) {
    this.#tokens = tokens
    this.#input.disabled = false
  }

  /** @param {Token | null} token shown as chosen */
  setChosen(token) {
    this.#chosen = token
    if (this.#list.hidden) this.#showChosen()
  }

  #listen() {
    const input = this.#input
    input.addEventListener("focus", () => {
      input.select()
      this.#open("")
    })
    input.addEventListener("click", () => this.#list.hidden && this.#open(""))
    input.addEventListener("input", () => this.#open(input.value))
    input.addEventListener("blur", () => this.#close())
    input.addEventListener("keydown", event => {
      if (this.#press(event.key)) event.preventDefault()
    })
    // Before the blur that would close the list under the pointer.
    this.#list.addEventListener("mousedown", event => {
      event.preventDefault()
      const option = event.target instanceof Element ? event.target.closest("[data-index]") : null
      if (option instanceof HTMLElement) this.#choose(Number(option.dataset["index"]))
    })
    byId("pick", HTMLFormElement).addEventListener("submit", event => event.preventDefault())
  }

  /** @param {string} key @returns {boolean} whether the key means something here */
  #press(key) {
    const isOpen = !this.#list.hidden
    if (key === "ArrowDown") this.#step(1)
    else if (key === "ArrowUp") this.#step(-1)
    else if (key === "Enter" && isOpen) this.#choose(this.#active)
    else if (key === "Enter") this.#open("")
    else if (key === "Escape" && isOpen) this.#close()
    else return false
    return true
  }

  /** @param {number} by */
  #step(by) {
    if (this.#list.hidden) {
      this.#open("")
      return
    }
    const count = Math.max(1, this.#found.length)
    this.#active = (this.#active + by + count) % count
    this.#render()
  }

  /** @param {number} index */
  #choose(index) {
    const token = this.#found[index]
    if (token === undefined) return
    this.#chosen = token
    this.#close()
    this.#onChoose(token)
  }

  /** @param {string} text */
  #open(text) {
    this.#found = findTokens(this.#tokens, text)
    const current = this.#found.findIndex(each => each.address === this.#chosen?.address)
    this.#active = text === "" && current > 0 ? current : 0
    this.#list.hidden = false
    this.#input.setAttribute("aria-expanded", "true")
    this.#render()
  }

  #close() {
    this.#list.hidden = true
    this.#input.setAttribute("aria-expanded", "false")
    this.#input.removeAttribute("aria-activedescendant")
    this.#showChosen()
  }

  #showChosen() {
    this.#input.value = this.#chosen === null ? "" : symbolOf(this.#chosen)
  }

  #render() {
    const options = this.#found.map((token, at) => optionOf(token, at, at === this.#active))
    const nothing = element("div", { class: "nothing" }, NOTHING)
    this.#list.replaceChildren(...(options.length > 0 ? options : [nothing]))
    const active = options[this.#active]
    if (active === undefined) this.#input.removeAttribute("aria-activedescendant")
    else {
      this.#input.setAttribute("aria-activedescendant", active.id)
      active.scrollIntoView({ block: "nearest" })
    }
  }
}
