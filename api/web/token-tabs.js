// @ts-check
/** What stands beside a token's chart: its trades, or one of the panels that are read on demand. */

import { byId, element } from "./dom.js"
import { TABS, tabsOf } from "./state.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").TokenRoute} TokenRoute */
/** @typedef {import("./types.d.ts").TokenTab} TokenTab */
/** @typedef {import("./types.d.ts").PanelTools} PanelTools */
/** @typedef {{ readonly open: (tools: PanelTools) => void }} Panel */

/** Each loaded when it is first shown. @type {{ readonly [tab: string]: () => Promise<Panel> }} */
const PANELS = {
  windows: () => import("./windows-panel.js"),
  holders: () => import("./holders-panel.js"),
  pools: () => import("./pools-panel.js"),
  why: () => import("./why-panel.js")
}

export class TokenTabs {
  #onTab
  #sign
  #list = byId("token-tabs", HTMLElement)
  #panel = byId("token-panel", HTMLElement)
  #ending = new AbortController()
  #of = ""
  /** those of the chain on show */
  #tabs = TABS

  /** @param {{ onTab: (tab: TokenTab) => void, sign: PanelTools["sign"] }} options */
  constructor({ onTab, sign }) {
    this.#onTab = onTab
    this.#sign = sign
    // what scrolls can be scrolled by keyboard
    for (const id of ["token-panel", "tape-scroll", "lanes-scroll"])
      byId(id, HTMLElement).tabIndex = 0
    for (const { tab, name } of TABS) {
      const button = element(
        "button",
        { type: "button", role: "tab", id: `tab-${tab}`, "data-tab": tab },
        name
      )
      button.setAttribute("aria-controls", tab === "trades" ? "tape-scroll" : "token-panel")
      button.addEventListener("click", () => onTab(tab))
      this.#list.append(button)
    }
    this.#list.addEventListener("keydown", event => this.#press(event))
  }

  /** Left and right move along the tabs. @param {KeyboardEvent} event */
  #press(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const tabs = this.#tabs
    const at = tabs.findIndex(({ tab }) => `tab-${tab}` === document.activeElement?.id)
    if (by === undefined || at < 0) return
    event.preventDefault()
    const next = tabs[(at + by + tabs.length) % tabs.length]
    if (next === undefined) return
    this.#onTab(next.tab)
    byId(`tab-${next.tab}`, HTMLButtonElement).focus()
  }

  /** @param {Chain} chain @param {TokenRoute} route */
  show(chain, route) {
    const { tab } = route
    this.#tabs = tabsOf(chain.key)
    for (const button of this.#list.querySelectorAll("button")) {
      button.hidden = this.#tabs.every(each => each.tab !== button.dataset["tab"])
      const isChosen = button.dataset["tab"] === tab
      button.setAttribute("aria-selected", String(isChosen))
      button.tabIndex = isChosen ? 0 : -1
    }
    const isTape = tab === "trades"
    byId("tape-scroll", HTMLElement).hidden = !isTape
    byId("filters", HTMLElement).hidden = !isTape
    this.#panel.hidden = isTape
    // an explained candle is of an interval, a pool and a unit too
    const { token, at, tf, pool, quote } = route
    const candle = tab === "why" ? [at, tf, pool, quote] : []
    const of = [chain.key, token, tab, ...candle].join(" ")
    if (of === this.#of) return
    this.hide()
    this.#of = of
    this.#open(chain, route)
  }

  hide() {
    this.#ending.abort(new Error("another panel is shown"))
    this.#panel.replaceChildren()
    this.#of = ""
  }

  /** @param {Chain} chain @param {TokenRoute} route */
  async #open(chain, route) {
    const load = PANELS[route.tab]
    if (load === undefined) return
    this.#ending = new AbortController()
    const { signal } = this.#ending
    this.#panel.setAttribute("aria-labelledby", `tab-${route.tab}`)
    const box = element("div", { class: "panel-parts" })
    this.#panel.replaceChildren(box)
    const { open } = await load()
    if (!signal.aborted) open({ box, chain, route, signal, sign: this.#sign })
  }
}
