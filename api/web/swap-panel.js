// @ts-check
/** The swap panel: what to pay and to receive, quotes as it is typed, and the steps to a swap. */

import { shortAmount } from "./amounts.js"
import { byId, copyButton, setText } from "./dom.js"
import { formatInteger, shortAddress } from "./format.js"
import { loadQuote } from "./http.js"
import { QuoteFeed } from "./quote-feed.js"
import { SwapBalance } from "./swap-balance.js"
import { nativeOf, orderOf, readSlippage, slippageText, turned, withToken } from "./swap-order.js"
import { quoteParts, routePart } from "./swap-route.js"
import { SwapSteps } from "./swap-steps.js"
import { noRouteWords, problemWords } from "./swap-words.js"
import { TokenBox, unlistedToken } from "./token-box.js"

/** @typedef {import("./types.d.ts").TradedChain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").SwapChoice} SwapChoice */
/** @typedef {import("./types.d.ts").Quote} Quote */
/** @typedef {import("./quote-feed.js").QuoteState} QuoteState */
/** @typedef {{ chain: Chain, tokens: ReadonlyArray<Token>, choice: SwapChoice }} Shown */

const SLIPPAGE_PROBLEM = "The slippage is 0.01 to 50 percent, with two decimals at most."

/** @type {(field: HTMLInputElement, text: string) => void} what is being typed stays as it is */
const fill = (field, text) => {
  if (document.activeElement !== field) field.value = text
}

export class SwapPanel {
  #options
  #panel = byId("swap", HTMLElement)
  #amount = byId("swap-amount", HTMLInputElement)
  #slippage = byId("swap-slippage", HTMLInputElement)
  #feed
  #steps
  #balance
  #boxes
  /** @type {Shown | null} */
  #shown = null
  /** @type {QuoteState | null} */
  #state = null
  /** tokens that the page was told of by a search @type {Map<string, Token>} */
  #known = new Map()
  #seq = 0
  /** @type {Quote | null} */
  #drawn = null

  /**
   * @param {object} options
   * @param {(choice: SwapChoice | null) => void} options.onChoice null: the panel is closed
   * @param {(chain: Chain, text: string, signal: AbortSignal) => Promise<ReadonlyArray<Token>>}
   *   options.search
   * @param {(hash: string) => void} options.onSent
   */
  constructor(options) {
    this.#options = options
    this.#feed = new QuoteFeed({
      load: loadQuote,
      onChange: state => this.#render(state),
      isHidden: () => document.hidden
    })
    this.#steps = new SwapSteps({
      hold: isHeld => this.#feed.hold(isHeld),
      again: () => this.#feed.again(),
      onSent: options.onSent,
      onWallet: wallet => this.#balance.of(wallet)
    })
    this.#balance = new SwapBalance({
      onMax: amount => this.#change({ amount }),
      gas: () => this.#steps.gas()
    })
    this.#boxes = { pay: this.#tokenBox("pay"), receive: this.#tokenBox("receive") }
    this.#listen()
  }

  /** @param {ReadonlyArray<import("./types.d.ts").FoundWallet>} found wallets of the browser */
  setWallets(found) {
    this.#steps.setWallets(found)
  }

  /** @param {ReadonlySet<string>} transactions on the tape */
  setPrinted(transactions) {
    this.#steps.setPrinted(transactions)
  }

  /** @param {number} seq newest position of the chain's log */
  moved(seq) {
    this.#seq = seq
    this.#feed.moved(seq)
  }

  /** @param {Shown | null} shown null closes the panel */
  show(shown) {
    this.#panel.hidden = shown === null
    const before = this.#shown
    this.#shown = shown
    if (shown === null) {
      this.#feed.ask(null)
      return
    }
    const { chain, tokens, choice } = shown
    if (chain !== before?.chain) this.#known.clear()
    const native = nativeOf(chain)
    const list = native === null ? tokens : [native, ...tokens]
    for (const side of /** @type {const} */ (["pay", "receive"])) {
      if (tokens !== before?.tokens) this.#boxes[side].setTokens(list, chain.key)
      const token = this.#tokenAt(choice[side])
      this.#boxes[side].setChosen(token)
      this.#showAddress(side, choice[side])
      if (token.decimals === null) this.#lookUp(chain, token.address)
    }
    this.#balance.pay(chain.id, this.#tokenAt(choice.pay))
    fill(this.#amount, choice.amount)
    fill(this.#slippage, slippageText(choice.slippageBps))
    this.#order()
  }

  /** @param {"pay" | "receive"} side @returns {TokenBox} */
  #tokenBox(side) {
    return new TokenBox({
      id: `swap-${side}`,
      onChoose: token => {
        this.#known.set(token.address, token)
        const choice = this.#shown?.choice
        if (choice) this.#options.onChoice(withToken(choice, side, token.address))
      },
      search: (text, signal) => {
        const chain = this.#shown?.chain
        return chain ? this.#options.search(chain, text, signal) : Promise.resolve([])
      }
    })
  }

  #listen() {
    this.#amount.addEventListener("input", () =>
      this.#change({ amount: this.#amount.value.trim() })
    )
    this.#slippage.addEventListener("input", () => {
      const slippageBps = readSlippage(this.#slippage.value)
      if (slippageBps === null) this.#order()
      else this.#change({ slippageBps })
    })
    byId("swap-turn", HTMLButtonElement).addEventListener("click", () => {
      const choice = this.#shown?.choice
      if (choice) this.#options.onChoice(turned(choice))
    })
    const close = byId("swap-close", HTMLButtonElement)
    close.addEventListener("click", () => this.#options.onChoice(null))
  }

  /** @param {Partial<SwapChoice>} change */
  #change(change) {
    const choice = this.#shown?.choice
    if (choice) this.#options.onChoice({ ...choice, ...change })
  }

  /** @param {string} address @returns {Token} */
  #tokenAt(address) {
    const { chain, tokens = [] } = this.#shown ?? {}
    const native = chain ? nativeOf(chain) : null
    if (native?.address === address) return native
    const listed = tokens.find(each => each.address === address)
    return listed ?? this.#known.get(address) ?? unlistedToken(address)
  }

  /**
   * Asks the server for a token that the page's list lacks.
   *
   * @param {Chain} chain
   * @param {string} address
   */
  #lookUp(chain, address) {
    if (this.#known.has(address)) return
    this.#known.set(address, unlistedToken(address))
    const { signal } = new AbortController()
    this.#options
      .search(chain, address, signal)
      .then(found => {
        const token = found.find(each => each.address === address)
        if (token === undefined || this.#shown?.chain !== chain) return
        this.#known.set(address, token)
        this.show(this.#shown)
      })
      // its decimals stay unknown, which the panel says; another look asks again
      .catch(() => this.#known.delete(address))
  }

  /** @param {"pay" | "receive"} side @param {string} address */
  #showAddress(side, address) {
    const box = byId(`swap-${side}-address`, HTMLElement)
    if (box.dataset["address"] === address) return
    box.dataset["address"] = address
    const what = side === "pay" ? "Address of what is paid" : "Address of what is received"
    box.replaceChildren(copyButton({ text: shortAddress(address), value: address, what }))
  }

  /** Has the order on show quoted. */
  #order() {
    const shown = this.#shown
    if (shown === null) return
    const { chain, choice } = shown
    const read = orderOf(chain, choice, this.#tokenAt(choice.pay).decimals)
    const isTyping = document.activeElement === this.#slippage
    const isBadSlippage = isTyping && readSlippage(this.#slippage.value) === null
    const problem = isBadSlippage ? SLIPPAGE_PROBLEM : read?.ok === false ? read.problem : ""
    setText(byId("swap-form-problem", HTMLElement), problem)
    this.#amount.setAttribute("aria-invalid", String(read?.ok === false))
    this.#slippage.setAttribute("aria-invalid", String(isBadSlippage))
    this.#feed.ask(read?.ok === true && !isBadSlippage ? read.order : null)
    this.#feed.moved(this.#seq)
  }

  /** @param {QuoteState} state */
  #render(state) {
    this.#state = state
    const shown = this.#shown
    const { order, quote, isExpired } = state
    const isOfOrder = shown !== null && quote !== null
    const noRoute = isOfOrder ? noRouteWords(quote) : null
    const receive = this.#tokenAt(shown?.choice.receive ?? "")
    const isRoute = isOfOrder && noRoute === null
    const out = byId("swap-out", HTMLOutputElement)
    setText(out, isRoute ? shortAmount(BigInt(quote.outputAmount), receive.decimals) : "—")
    out.dataset["raw"] = isRoute ? quote.outputAmount : ""
    this.#panel.dataset["state"] = this.#stateWord()
    this.#panel.setAttribute("aria-busy", String(order !== null && quote === null))
    setText(byId("swap-message", HTMLElement), this.#message(noRoute))
    const origin = quote === null ? "" : `log seq ${formatInteger(quote.seq)}`
    setText(byId("swap-origin", HTMLElement), origin)
    const setting = shown && {
      chain: shown.chain,
      explorer: shown.chain.explorer,
      pay: this.#tokenAt(shown.choice.pay),
      receive,
      tokenAt: (/** @type {string} */ address) => this.#tokenAt(address)
    }
    this.#draw(quote, isRoute ? setting : null, isExpired)
    this.#steps.offer(isRoute && setting ? { quote, isExpired, setting } : null)
  }

  /**
   * @param {Quote | null} quote
   * @param {import("./swap-route.js").Setting | null} setting null where there is no route
   * @param {boolean} isExpired
   */
  #draw(quote, setting, isExpired) {
    const [facts, route] = [byId("swap-quote", HTMLElement), byId("swap-route", HTMLElement)]
    for (const part of [facts, route]) part.classList.toggle("stale", isExpired)
    if (quote === this.#drawn) return
    this.#drawn = quote
    const isDrawn = quote !== null && setting !== null
    facts.replaceChildren(...(isDrawn ? quoteParts(quote, setting) : []))
    route.replaceChildren(...(isDrawn ? [routePart(quote, setting)] : []))
  }

  #stateWord() {
    const { order = null, quote = null, isExpired = false, problem = null } = this.#state ?? {}
    if (order === null) return "empty"
    if (quote === null) return problem === null ? "asking" : "problem"
    if (isExpired) return "expired"
    return quote.routePlan.length === 0 ? "no-route" : "quoted"
  }

  /** @param {string | null} noRoute */
  #message(noRoute) {
    const { problem = null, isExpired = false } = this.#state ?? {}
    const words = problem === null ? "" : problemWords(problem)
    if (isExpired) return `This quote has expired. ${words || "A new one is being fetched."}`
    return words || noRoute || ""
  }
}
