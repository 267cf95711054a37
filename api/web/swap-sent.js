// @ts-check
/** What was sent from the panel: its hash, its block, and whether it stands on the tape. */

import { pause } from "../../client/retry.js"
import { copyButton, element, explorerLink, setText } from "./dom.js"
import { formatInteger, shortAddress } from "./format.js"

/** @typedef {import("./wallet.js").ConnectedWallet} ConnectedWallet */
/** @typedef {import("./wallet.js").Receipt} Receipt */
/** @typedef {{ hash: string, what: "approval" | "swap", row: HTMLElement, words: HTMLElement,
 *   receipt: Receipt | null, isPrinted: boolean }} Sent */

const ASK_MS = 1000
/** More than anybody looks back at. */
const KEPT = 5

const NAMES = { approval: "Approval", swap: "Swap" }

/** @type {(sent: Sent) => string} */
const wordsOf = ({ what, receipt, isPrinted }) => {
  if (receipt === null) return "waits for its block"
  const block = `block ${formatInteger(receipt.block)}`
  if (receipt.status === "reverted")
    return `failed in ${block}: it changed nothing but the gas paid`
  if (what === "approval") return `stands in ${block}`
  return isPrinted ? `stands in ${block}, and on the tape` : `stands in ${block}`
}

export class SentList {
  #list
  /** @type {Sent[]} newest first */
  #sent = []
  /** @type {ReadonlySet<string>} transactions on the tape */
  #printed = new Set()

  /** @param {HTMLElement} list */
  constructor(list) {
    this.#list = list
  }

  /** @param {string} hash @param {Sent["what"]} what @param {string | null} explorer */
  add(hash, what, explorer) {
    const words = element("span", { role: "status" })
    const row = element(
      "li",
      { "data-hash": hash, "data-what": what },
      `${NAMES[what]} `,
      copyButton({ text: shortAddress(hash), value: hash, what: "Transaction" }),
      explorerLink(explorer, "tx", hash),
      " ",
      words
    )
    this.#sent = [{ hash, what, row, words, receipt: null, isPrinted: false }, ...this.#sent]
    for (const { row: old } of this.#sent.splice(KEPT)) old.remove()
    this.#list.prepend(row)
    this.#show()
  }

  /**
   * Waits for the block of a transaction.
   *
   * @param {string} hash
   * @param {ConnectedWallet} wallet that sent it
   * @param {AbortSignal} signal
   * @returns {Promise<Receipt>}
   */
  async mined(hash, wallet, signal) {
    for (;;) {
      const receipt = await wallet.receipt(hash).catch(() => null)
      signal.throwIfAborted()
      if (receipt !== null) {
        for (const each of this.#sent) if (each.hash === hash) each.receipt = receipt
        this.#show()
        return receipt
      }
      await pause(ASK_MS, signal)
    }
  }

  /** @param {ReadonlySet<string>} transactions on the tape */
  setPrinted(transactions) {
    this.#printed = transactions
    this.#show()
  }

  #show() {
    for (const each of this.#sent) {
      each.isPrinted ||= this.#printed.has(each.hash)
      each.row.dataset["state"] = each.receipt?.status ?? "waiting"
      setText(each.words, wordsOf(each))
    }
  }
}
