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

/** @param {{ onChoose: (token: Token) => void }} options */
export const createTokenBox = ({ onChoose }) => {
  const input = byId("token", HTMLInputElement)
  const list = byId("token-list", HTMLElement)
  /** @type {ReadonlyArray<Token>} */
  let tokens = []
  /** @type {Token[]} */
  let found = []
  /** @type {Token | null} */
  let chosen = null
  let active = 0

  const render = () => {
    const none = element("div", { class: "nothing" }, "No token matches. Paste its address.")
    list.replaceChildren(
      ...found.map((token, index) => optionOf(token, index, index === active)),
      ...(found.length === 0 ? [none] : [])
    )
    const option = list.children[active]
    if (found.length > 0 && option) {
      input.setAttribute("aria-activedescendant", option.id)
      option.scrollIntoView({ block: "nearest" })
    } else input.removeAttribute("aria-activedescendant")
  }

  /** @type {(text: string) => void} */
  const open = text => {
    found = findTokens(tokens, text)
    const current = found.findIndex(each => each.address === chosen?.address)
    active = text === "" && current > 0 ? current : 0
    list.hidden = false
    input.setAttribute("aria-expanded", "true")
    render()
  }

  const close = () => {
    list.hidden = true
    input.setAttribute("aria-expanded", "false")
    input.removeAttribute("aria-activedescendant")
    input.value = chosen === null ? "" : symbolOf(chosen)
  }

  /** @type {(index: number) => void} */
  const choose = index => {
    const token = found[index]
    if (token === undefined) return
    chosen = token
    close()
    onChoose(token)
  }

  /** @type {(step: number) => void} */
  const step = by => {
    if (list.hidden) open("")
    else {
      active = (active + by + found.length) % Math.max(1, found.length)
      render()
    }
  }

  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => (list.hidden ? open("") : choose(active)),
    Escape: close
  }

  input.addEventListener("focus", () => {
    input.select()
    open("")
  })
  input.addEventListener("click", () => list.hidden && open(""))
  input.addEventListener("input", () => open(input.value))
  input.addEventListener("blur", close)
  input.addEventListener("keydown", event => {
    const action = keys[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  })
  // Before the blur that would close the list under the pointer.
  list.addEventListener("mousedown", event => {
    event.preventDefault()
    const option = event.target instanceof Element ? event.target.closest("[data-index]") : null
    if (option instanceof HTMLElement) choose(Number(option.dataset["index"]))
  })
  byId("pick", HTMLFormElement).addEventListener("submit", event => event.preventDefault())

  return {
    /** @param {ReadonlyArray<Token>} next the chain's tokens */
    setTokens: next => {
      tokens = next
      input.disabled = false
    },
    /** @param {Token | null} token shown as chosen */
    setChosen: token => {
      chosen = token
      if (list.hidden) input.value = token === null ? "" : symbolOf(token)
    }
  }
}
