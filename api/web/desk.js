// @ts-check
/** The view of a token: its chart, its tape, the swap panel. */

import { ChartView } from "./chart.js"
import { ChartUnit } from "./chart-unit.js"
import { devchainWallet } from "./devchain-wallet.js"
import { byId, element } from "./dom.js"
import { searchTokens } from "./http.js"
import { MarketView } from "./market.js"
import { MarketHeader } from "./market-header.js"
import { writeRoute } from "./routes.js"
import { Sign } from "./sign.js"
import { TIMEFRAMES } from "./state.js"
import { isHistory, laneOf } from "./status.js"
import { firstChoice, tradedChain } from "./swap-order.js"
import { SwapPanel } from "./swap-panel.js"
import { unlistedToken } from "./token-box.js"
import { TokenTabs } from "./token-tabs.js"
import { TradeFilters } from "./trade-filters.js"
import { TapeView } from "./trades.js"
import { findWallets } from "./wallet.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").TokenRoute} TokenRoute */
/** @typedef {import("./types.d.ts").PageState} PageState */
/** @typedef {import("./types.d.ts").ViewTools} ViewTools */
/** @typedef {{ readonly state: PageState, readonly route: TokenRoute }} Shown */

class Desk {
  #live
  #go
  /** null while another view is shown @type {Shown | null} */
  #shown = null
  /** @type {Token | null} */
  #token = null
  #header = new MarketHeader()
  /** @type {ChartView} */
  #chart
  #tape
  #swap
  #market
  #tabs = byId("timeframes", HTMLElement)
  #unit
  #filters
  #about
  #opener = byId("swap-open", HTMLButtonElement)
  /** A price of the token came: it trades, and figures of it may have changed. */
  #sign = new Sign()
  /** @type {ReadonlyArray<import("./types.d.ts").FoundWallet>} */
  #ownWallets = []

  /** @param {ViewTools} tools */
  constructor({ live, go }) {
    this.#live = live
    this.#go = go
    this.#chart = new ChartView({
      container: byId("chart", HTMLElement),
      legend: byId("legend", HTMLElement),
      onNeedOlder: () => this.#market.loadOlderCandles(),
      onAsk: at => this.#change({ tab: "why", at })
    })
    this.#tape = new TapeView(byId("tape", HTMLElement))
    this.#swap = new SwapPanel({
      onChoice: choice => this.#change({ swap: choice }),
      search: searchTokens,
      onSent: hash => this.#tape.mark(hash)
    })
    this.#market = new MarketView({
      ...{ live: this.#live, chart: this.#chart, tape: this.#tape, header: this.#header },
      sign: this.#sign,
      onPrints: prints => this.#swap.setPrinted(new Set(prints.map(({ trade }) => trade.tx)))
    })
    this.#unit = new ChartUnit(unit => this.#change(unit))
    this.#filters = new TradeFilters(filter => this.#change(filter))
    this.#about = new TokenTabs({ onTab: tab => this.#change({ tab }), sign: this.#sign })
    this.#listen()
  }

  #listen() {
    for (const { tf, name } of TIMEFRAMES) {
      const tab = element(
        "button",
        { type: "button", "data-tf": tf, "aria-label": `${tf}: ${name}` },
        tf
      )
      tab.addEventListener("click", () => this.#change({ tf }))
      this.#tabs.append(tab)
    }
    this.#opener.addEventListener("click", () => {
      const { state, route } = this.#shown ?? {}
      const chain = tradedChain(state?.chain ?? null)
      if (!route || chain === null) return
      this.#change({ swap: route.swap === null ? firstChoice(chain, route.token) : null })
      byId("swap-amount", HTMLInputElement).focus()
    })
    byId("swap-link", HTMLButtonElement).dataset["what"] = "Link"
    findWallets(window, wallets => {
      this.#ownWallets = wallets
      this.#showWallets()
    })
  }

  /** Another interval or swap of the same market is no step. @param {Partial<TokenRoute>} change */
  #change(change) {
    if (this.#shown !== null) this.#go({ ...this.#shown.route, ...change }, false)
  }

  /** Wallets of the browser, and on a simulated chain that runs that chain's. */
  #showWallets() {
    const { chain, chains = [], status } = this.#shown?.state ?? {}
    const running = status?.lanes.filter(lane => lane.simulated && !isHistory(lane)) ?? []
    const simulated = running.map(lane => lane.chain)
    // swaps are signed on EVM chains alone, whose ids are numbers
    const ids = chains.flatMap(({ key, id }) =>
      simulated.includes(key) && typeof id === "number" ? [id] : []
    )
    const first = chain && simulated.includes(chain.key) ? chain.id : null
    const own = this.#ownWallets
    this.#swap.setWallets(typeof first === "number" ? [...own, devchainWallet(ids, first)] : own)
  }

  /** @param {PageState} state */
  show(state) {
    const { chain, route, tokens } = state
    if (route.view !== "token" || chain === null) return
    const before = this.#shown
    this.#shown = { state, route }
    for (const tab of this.#tabs.querySelectorAll("button")) {
      tab.setAttribute("aria-pressed", String(tab.dataset["tf"] === route.tf))
    }
    this.#opener.disabled = tokens === null
    if (tokens === null) {
      if (before === null) this.#market.empty("Loading…", "The chain's tokens are being read.")
      return
    }
    const known = tokens.find(each => each.address === route.token)
    const isSame = this.#token?.address === route.token && before?.state.chain === chain
    if (!isSame) this.#token = known ?? unlistedToken(route.token)
    else if (known && tokens !== before?.state.tokens) this.#header.refresh((this.#token = known))
    if (this.#token) this.#market.open(chain, this.#token, route)
    this.#unit.show(chain, route)
    this.#filters.show(route)
    this.#about.show(chain, route)
    this.#renderSwap(state, route, before)
  }

  /** @type {(state: PageState, route: TokenRoute, before: Shown | null) => void} */
  #renderSwap(state, { swap: choice, ...route }, before) {
    const { chain, tokens } = state
    this.#opener.setAttribute("aria-expanded", String(choice !== null))
    const lane = laneOf(state)
    if (lane !== undefined) this.#swap.moved(lane.seq)
    const laneBefore = before && laneOf(before.state)
    const isOther = chain !== before?.state.chain
    if (isOther || lane?.simulated !== laneBefore?.simulated) this.#showWallets()
    const hash = writeRoute({ ...route, swap: choice })
    byId("swap-link", HTMLButtonElement).dataset["copy"] = `${location.origin}/${hash}`
    const isListed = tokens !== before?.state.tokens
    const isChanged = choice !== before?.route.swap || isOther || (choice && isListed)
    if (!isChanged) return
    const traded = tradedChain(chain)
    this.#opener.hidden = traded === null
    this.#swap.show(traded && choice && tokens ? { chain: traded, tokens, choice } : null)
  }

  /** Lets go of all that it follows. */
  hide() {
    this.#shown = null
    this.#token = null
    this.#market.close()
    this.#unit.hide()
    this.#about.hide()
    this.#swap.show(null)
  }
}

/** Its elements stand in the page at all times: it is made once. @type {Desk | undefined} */
let desk

/** @type {(tools: ViewTools) => import("./types.d.ts").View} */
export const open = tools => {
  const own = (desk ??= new Desk(tools))
  tools.signal.addEventListener("abort", () => own.hide())
  return state => own.show(state)
}
