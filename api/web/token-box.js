// @ts-check
/**
 * A token field: a combobox over the chain's tokens. The page holds those that trade most; the
 * server is asked for others, and a pasted address opens any token.
 */

import { readAccount } from "./addresses.js"
import { byId, element } from "./dom.js"
import { cleanLabel, formatPrice, symbolOf } from "./format.js"

/** @typedef {import("./types.d.ts").Token} Token */

/** More matches than anyone reads; typing narrows them. */
const SHOWN_MAX = 60
/** The server is asked once nothing was typed for so long. */
const TYPED_MS = 200

/** @type {(address: string) => Token} a token no list has: by its address alone */
export const unlistedToken = address => ({
  address,
  symbol: null,
  name: null,
  decimals: null,
  priceUsd: null,
  change24hPct: null,
  changeSince: null
})

/**
 * Tokens whose symbol, name or address has the text: symbols that begin with it first.
 *
 * @param {ReadonlyArray<Token>} tokens
 * @param {string} text
 * @param {string} chain key of theirs
 * @returns {Token[]} at most SHOWN_MAX, else in the list's order
 */
export const findTokens = (tokens, text, chain) => {
  const wanted = text.trim().toLowerCase()
  if (wanted === "") return tokens.slice(0, SHOWN_MAX)
  /** @type {(token: Token) => number} */
  const rank = ({ symbol, name, address }) => {
    if (symbol?.toLowerCase().startsWith(wanted)) return 0
    if (symbol?.toLowerCase().includes(wanted) || name?.toLowerCase().includes(wanted)) return 1
    return wanted.length > 3 && address.toLowerCase().includes(wanted) ? 2 : 3
  }
  const ranked = tokens.map(token => ({ token, rank: rank(token) })).filter(each => each.rank < 3)
  ranked.sort((a, b) => a.rank - b.rank)
  const found = ranked.slice(0, SHOWN_MAX).map(each => each.token)
  const typed = readAccount(chain, text.trim())
  return found.length > 0 || typed === null ? found : [unlistedToken(typed)]
}

/** @type {(token: Token, id: string, index: number, isActive: boolean) => HTMLElement} */
const optionOf = (token, id, index, isActive) => {
  const name = element("span", { class: "option-name" })
  name.append(element("bdi", {}, symbolOf(token)))
  if (token.name) name.append(" ", element("bdi", { class: "muted" }, cleanLabel(token.name, 48)))
  const price = token.priceUsd === null ? "" : `$${formatPrice(token.priceUsd)}`
  return element(
    "div",
    {
      role: "option",
      id: `${id}-option-${index}`,
      "aria-selected": String(isActive),
      "data-index": String(index)
    },
    name,
    element("span", {}, price),
    element("small", {}, token.address)
  )
}

const NOTHING = "No token matches. Paste its address."

/** @type {(found: Token[], more: ReadonlyArray<Token>) => Token[]} what is not there yet, behind */
const withMore = (found, more) => {
  const known = new Set(found.map(each => each.address))
  return [...found, ...more.filter(each => !known.has(each.address))].slice(0, SHOWN_MAX)
}

export class TokenBox {
  #onChoose
  #search
  #searching = new AbortController()
  #input
  #list
  /** @type {ReadonlyArray<Token>} */
  #tokens = []
  #chain = ""
  /** @type {Token[]} */
  #found = []
  /** @type {Token | null} */
  #chosen = null
  #active = 0

  /**
   * @param {object} options
   * @param {string} options.id of the field; its list's has `-list` behind
   * @param {(token: Token) => void} options.onChoose
   * @param {(text: string, signal: AbortSignal) => Promise<ReadonlyArray<Token>>}
   *   options.search the server's
   */
  constructor({ id, onChoose, search }) {
    this.#input = byId(id, HTMLInputElement)
    this.#list = byId(`${id}-list`, HTMLElement)
    this.#onChoose = onChoose
    this.#search = search
    this.#listen()
  }

  /** @param {ReadonlyArray<Token>} tokens the chain's @param {string} chain its key */
  setTokens(tokens, chain) {
    this.#tokens = tokens
    this.#chain = chain
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
    this.#input.form?.addEventListener("submit", event => event.preventDefault())
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
    this.#found = findTokens(this.#tokens, text, this.#chain)
    const current = this.#found.findIndex(each => each.address === this.#chosen?.address)
    this.#active = text === "" && current > 0 ? current : 0
    this.#list.hidden = false
    this.#input.setAttribute("aria-expanded", "true")
    this.#render()
    this.#ask(text.trim())
  }

  /** Adds what the server finds, unless something else was typed since. @param {string} text */
  #ask(text) {
    this.#searching.abort()
    if (text === "") return
    this.#searching = new AbortController()
    const { signal } = this.#searching
    setTimeout(() => {
      if (signal.aborted || this.#list.hidden) return
      this.#search(text, signal)
        .then(more => {
          if (signal.aborted || this.#list.hidden) return
          this.#found = withMore(this.#found, more)
          this.#render()
        })
        // what the page holds is shown all the same
        .catch(() => undefined)
    }, TYPED_MS)
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
    const options = this.#found.map((token, at) =>
      optionOf(token, this.#input.id, at, at === this.#active)
    )
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
