// @ts-check
/** Building and finding elements. Text from outside enters the page as text only. */

import { isExplored } from "./addresses.js"

/**
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} type
 * @returns {E}
 */
export const byId = (id, type) => {
  const found = document.getElementById(id)
  if (found instanceof type) return found
  throw new Error(`the page has no ${type.name} "${id}"`)
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {{ class?: string, title?: string, [attribute: `${"aria" | "data"}-${string}`]: string,
 *   role?: string, id?: string, scope?: string, colspan?: string, type?: string,
 *   tabindex?: string }} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const element = (tag, attributes, ...children) => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** @type {(box: HTMLElement, text: string) => void} leaves the page alone when nothing changed */
export const setText = (box, text) => {
  if (box.textContent !== text) box.textContent = text
}

const TOAST_MS = 2500
/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastTimer

/** @type {(text: string) => void} shows a line for a moment, and reads it out */
export const announce = text => {
  const toast = byId("announce", HTMLElement)
  toast.textContent = text
  clearTimeout(toastTimer)
  toastTimer = setTimeout(() => {
    toast.textContent = ""
  }, TOAST_MS)
}

/** @type {(text: string) => boolean} the way for pages without a secure context */
const copyBySelection = text => {
  const field = element("textarea", { class: "hidden" })
  field.value = text
  document.body.append(field)
  field.select()
  const done = document.execCommand("copy")
  field.remove()
  return done
}

/** @type {(text: string, what: string) => Promise<void>} */
const copy = async (text, what) => {
  const done = await (navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none")))
    .then(() => true)
    .catch(() => copyBySelection(text))
  announce(done ? `${what} copied` : `Copying is not allowed here: ${text}`)
}

/**
 * A button that copies a long value of which it shows a short form.
 *
 * @param {{ text: string, value: string, what: string }} options `what` names it: "Address"
 */
export const copyButton = ({ text, value, what }) =>
  element(
    "button",
    {
      class: "copy",
      type: "button",
      title: `Copy ${what.toLowerCase()} ${value}`,
      // who speaks to the page says what is seen: the name begins with that
      "aria-label": `${text}: copy ${what.toLowerCase()} ${value}`,
      "data-copy": value,
      "data-what": what
    },
    text
  )

/**
 * A link to a block explorer, in a tab of its own; nothing where there is no explorer.
 *
 * @param {string | null} explorer
 * @param {"tx" | "address"} kind
 * @param {string} value hash or address
 * @returns {Node}
 */
export const explorerLink = (explorer, kind, value) => {
  if (explorer === null || !isExplored(value)) return document.createTextNode("")
  const what = kind === "tx" ? "Transaction" : "Address"
  const link = element(
    "a",
    { class: "out", title: `${what} ${value} on ${explorer.slice(8)}` },
    "↗"
  )
  link.href = `${explorer}/${kind}/${value}`
  link.target = "_blank"
  link.rel = "noopener noreferrer"
  link.setAttribute("aria-label", `${what} ${value} on ${explorer.slice(8)}`)
  return link
}

/** Makes every copy button work, those added later too. */
export const enableCopying = () => {
  document.addEventListener("click", event => {
    const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null
    if (!(button instanceof HTMLElement)) return
    copy(button.dataset["copy"] ?? "", button.dataset["what"] ?? "Text")
  })
}

/**
 * Puts a state in the place of missing content: what is so, what to do, a button for it.
 *
 * @param {HTMLElement} box
 * @param {{ title: string, text?: string, action?: { label: string, run: () => void } } | null}
 *   message null hides the box
 */
export const showMessage = (box, message) => {
  box.hidden = message === null
  if (message === null) {
    box.replaceChildren()
    return
  }
  const parts = [element("strong", {}, message.title)]
  if (message.text) parts.push(element("p", {}, message.text))
  if (message.action) {
    const button = element("button", { type: "button" }, message.action.label)
    button.addEventListener("click", message.action.run)
    parts.push(button)
  }
  box.replaceChildren(...parts)
}
