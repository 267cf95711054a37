// @ts-check
/** The unsigned transactions of a swap, to be read and copied by who signs elsewhere. */

import { copyButton, element } from "./dom.js"

/** @typedef {import("./types.d.ts").UnsignedCall} UnsignedCall */
/** @typedef {import("./types.d.ts").BuiltSwap} BuiltSwap */

/** @type {(name: string, call: UnsignedCall) => HTMLElement} */
const callPart = (name, call) => {
  const text = JSON.stringify(call, null, 2)
  return element(
    "div",
    { class: "call", "data-call": name },
    element("span", {}, `${name} `),
    copyButton({ text: "Copy", value: text, what: `${name} transaction` }),
    element("pre", { tabindex: "0", role: "region", "aria-label": `${name} transaction` }, text)
  )
}

/** @type {(swap: BuiltSwap) => HTMLElement[]} in the order in which they are to be sent */
export const callParts = ({ transaction, approval }) => [
  ...(approval?.resetFirst === true ? [callPart("Reset", approval.reset)] : []),
  ...(approval !== null && approval.needed !== false
    ? [callPart("Approval", approval.approve)]
    : []),
  callPart("Swap", transaction)
]
