// @ts-check
/** Why: this price, this candle, this flag; each with the events that it goes back to. */

import { background } from "./background.js"
import { element, showMessage } from "./dom.js"
import { explainCandle } from "./why-candle.js"
import { explainFlags } from "./why-flags.js"
import { explainPrice } from "./why-price.js"

/** @typedef {import("./types.d.ts").PanelTools} PanelTools */

/**
 * A part that is asked for once: what it explains is of one position of the log.
 *
 * @type {(name: string, load: (tools: PanelTools) => Promise<Node[]>, tools: PanelTools) => Node}
 */
const part = (name, load, tools) => {
  const message = element("div", { class: "message", role: "status" })
  const body = element("div", {})
  const again = element("button", { type: "button", class: "plain" }, "Ask again")
  const head = element("div", { class: "card-head" }, element("h2", {}, name), again)
  const ask = () => {
    showMessage(message, { title: "Asking…" })
    background(async () => {
      await load(tools).then(
        parts => {
          if (tools.signal.aborted) return
          showMessage(message, null)
          body.replaceChildren(...parts)
        },
        (/** @type {Error} */ cause) => {
          if (!tools.signal.aborted)
            showMessage(message, { title: "No answer", text: cause.message })
        }
      )
    }, tools.signal)
  }
  again.addEventListener("click", ask)
  ask()
  return element("section", { class: "why", "aria-label": name }, head, body, message)
}

/** @type {(tools: PanelTools) => void} */
export const open = tools => {
  const { at } = tools.route
  tools.box.replaceChildren(
    ...(at === null ? [] : [part("Why this candle", explainCandle, tools)]),
    part("Why this price", explainPrice, tools),
    part("Why its flags", explainFlags, tools),
    ...(at === null
      ? [
          element(
            "p",
            { class: "note" },
            "Click a candle of the chart, or press Enter on it, to have it explained."
          )
        ]
      : [])
  )
}
