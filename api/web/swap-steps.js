// @ts-check
/**
 * From a quote to a swap: a wallet or an address, the transaction made for it and tried on paper,
 * the approval, and the sending. Each step says what it needs from the reader.
 */

import { Problem } from "../../client/retry.js"
import { isAddress } from "./addresses.js"
import { shortAmount } from "./amounts.js"
import { background } from "./background.js"
import { byId, copyButton, element, setText } from "./dom.js"
import { shortAddress, symbolOf } from "./format.js"
import {
  isSameOrder,
  isSameSwap,
  isSendable,
  prepare,
  trialWords,
  wantsApproval
} from "./swap-build.js"
import { callParts } from "./swap-calls.js"
import { SentList } from "./swap-sent.js"
import { problemWords, walletWords } from "./swap-words.js"
import { connectWallet } from "./wallet.js"

/** @typedef {import("./types.d.ts").TradedChain} Chain */
/** @typedef {import("./types.d.ts").Quote} Quote */
/** @typedef {import("./types.d.ts").FoundWallet} FoundWallet */
/** @typedef {import("./types.d.ts").UnsignedCall} UnsignedCall */
/** @typedef {import("./swap-route.js").Setting & { chain: Chain }} Setting */
/** @typedef {import("./swap-build.js").Prepared} Prepared */
/** @typedef {import("./wallet.js").ConnectedWallet} ConnectedWallet */
/** @typedef {{ quote: Quote, isExpired: boolean, setting: Setting }} Offer */

/** What was made is made anew with the next quote after so long: balances and allowances change. */
const FRESH_MS = 10_000
/** It serves so long where no other could be made; its own deadline is later. */
const MADE_MS = 40_000

/** @type {(button: HTMLElement, isOff: boolean) => void} keeps the focus, which `disabled` loses */
const setOff = (button, isOff) => button.setAttribute("aria-disabled", String(isOff))

export class SwapSteps {
  #options
  #wallets = byId("swap-wallets", HTMLElement)
  #connected = byId("swap-connected", HTMLElement)
  #taker = byId("swap-taker", HTMLInputElement)
  #switch = byId("swap-switch", HTMLButtonElement)
  #reset = byId("swap-reset", HTMLButtonElement)
  #approve = byId("swap-approve", HTMLButtonElement)
  #send = byId("swap-send", HTMLButtonElement)
  #stop = byId("swap-stop", HTMLButtonElement)
  #sent = new SentList(byId("swap-sent", HTMLElement))
  /** @type {ReadonlyArray<FoundWallet>} */
  #found = []
  /** @type {ConnectedWallet | null} */
  #wallet = null
  /** @type {Offer | null} */
  #offer = null
  /** @type {{ made: Prepared, at: number } | null} */
  #prepared = null
  #making = new AbortController()
  #isMaking = false
  /** @type {{ quote: Quote, payer: string } | null} */
  #makingOf = null
  /** builds refused since the last that succeeded */
  #failures = 0
  /** what the wallet is asked now @type {object | null} */
  #asked = null
  /** hash of what was sent and is in no block yet @type {string | null} */
  #pending = null
  /** why nothing could be made of the quote */
  #problem = ""
  /** what the wallet said when it was asked last, where it refused */
  #refusal = ""

  /**
   * @param {object} options
   * @param {(isHeld: boolean) => void} options.hold no new quotes while the wallet is asked
   * @param {() => void} options.again wants a new quote
   * @param {(hash: string) => void} options.onSent a swap was sent
   * @param {(wallet: ConnectedWallet | null) => void} options.onWallet it is another one, another
   *   account or chain of it, or has something else
   */
  constructor(options) {
    this.#options = options
    this.#taker.addEventListener("input", () => this.#restart())
    byId("swap-leave", HTMLButtonElement).addEventListener("click", () => this.#leave())
    this.#stop.addEventListener("click", () => this.#stopWaiting())
    this.#onClick(this.#switch, () => this.#switchChain())
    this.#onClick(this.#reset, () => this.#sendCall("approval", made => made.approval?.reset))
    this.#onClick(this.#approve, () => this.#sendCall("approval", made => made.approval?.approve))
    this.#onClick(this.#send, () => this.#sendCall("swap", made => made.transaction))
    this.#render()
  }

  /** @param {ReadonlyArray<FoundWallet>} found */
  setWallets(found) {
    this.#found = found
    const buttons = found.map(wallet => {
      const button = element("button", { type: "button", class: "quiet" })
      button.append("Connect ", element("bdi", {}, wallet.name))
      button.addEventListener("click", () => this.#connect(wallet))
      return button
    })
    this.#wallets.replaceChildren(...buttons)
    this.#render()
  }

  /** @param {Offer | null} offer a quote with a route; null where there is none */
  offer(offer) {
    if (offer === null) this.#problem = this.#refusal = ""
    this.#offer = offer
    this.#make()
    this.#render()
  }

  /** @param {ReadonlySet<string>} transactions on the tape */
  setPrinted(transactions) {
    this.#sent.setPrinted(transactions)
  }

  /** @param {HTMLElement} button @param {() => void} run */
  #onClick(button, run) {
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") run()
    })
  }

  /** Who pays: the wallet's account, else the address typed; null while there is none. */
  #payer() {
    if (this.#wallet !== null) return this.#wallet.account
    const typed = this.#taker.value.trim()
    return isAddress(typed) ? typed.toLowerCase() : null
  }

  /**
   * What was made of the order on show for who pays; null while it is not there. Of a quote before
   * the newest it serves until the next is made: what it gives at least, the chain holds it to.
   */
  #made() {
    const [offer, prepared] = [this.#offer, this.#prepared]
    if (offer === null || prepared === null) return null
    const { made, at } = prepared
    const isOf = isSameOrder(made.quote, offer.quote) && made.taker === this.#payer()
    return isOf && performance.now() - at < MADE_MS ? made : null
  }

  /** Makes the transaction, unless there is one that serves. */
  #make() {
    const [offer, payer] = [this.#offer, this.#payer()]
    if (offer === null || offer.isExpired || payer === null) {
      this.#making.abort()
      this.#isMaking = false
      return
    }
    if (this.#asked !== null) return
    const { quote } = offer
    const made = this.#made()
    const isFresh = performance.now() - (this.#prepared?.at ?? 0) < FRESH_MS
    if (made !== null && isFresh && isSameSwap(made.quote, quote)) return
    // else newer quotes would end, again and again, what a slow server makes of the last one
    const isUnderWay = this.#isMaking && this.#makingOf?.payer === payer
    if (isUnderWay && this.#makingOf && isSameOrder(this.#makingOf.quote, quote)) return
    this.#making.abort()
    this.#making = new AbortController()
    const { signal } = this.#making
    this.#makingOf = { quote, payer }
    this.#isMaking = true
    background(async () => {
      const made = await prepare(quote, payer, signal).catch(cause => {
        signal.throwIfAborted()
        return cause instanceof Problem ? cause : new Problem("PAGE_ERROR", String(cause))
      })
      signal.throwIfAborted()
      this.#isMaking = false
      if (made instanceof Problem) {
        this.#problem = problemWords(made)
        // a new quote helps against an old one; more than once it is something else
        if (this.#failures++ === 0) this.#options.again()
      } else {
        this.#failures = 0
        this.#prepared = { made, at: performance.now() }
        this.#problem = ""
        this.#make()
      }
      this.#render()
    }, signal)
  }

  /** The gas limit of the swap that is made; null while there is none. @returns {bigint | null} */
  gas() {
    const { gas } = this.#made()?.swap.transaction ?? {}
    return gas === undefined ? null : BigInt(gas)
  }

  /** Another payer, or another state of his: what was made is of no use. */
  #restart() {
    this.#options.onWallet(this.#wallet)
    this.#making.abort()
    this.#isMaking = false
    this.#prepared = null
    this.#problem = ""
    this.#failures = 0
    this.#make()
    this.#render()
  }

  #leave() {
    const wallet = this.#wallet
    this.#wallet = null
    wallet?.leave()
    this.#stopWaiting()
  }

  /**
   * Waits no longer for the wallet, nor for the block of what was sent: a wallet may never answer,
   * and what it replaces or drops never comes into a block.
   */
  #stopWaiting() {
    const isOpen = this.#asked !== null || this.#pending !== null
    this.#pending = null
    this.#answered()
    this.#refusal = isOpen ? "What you confirm in the wallet, or did, is sent all the same." : ""
    this.#restart()
  }

  #answered() {
    if (this.#asked !== null) this.#options.hold(false)
    this.#asked = null
  }

  /**
   * Asks the wallet something; what it refuses is shown. What nobody waits for any more may still
   * be answered.
   *
   * @template A
   * @param {() => Promise<A>} ask
   * @returns {Promise<A | null>} null: refused
   */
  async #asking(ask) {
    if (this.#asked !== null) return null
    const asked = {}
    this.#asked = asked
    this.#refusal = ""
    this.#options.hold(true)
    this.#render()
    const answer = await ask().catch(cause => {
      const words = walletWords(cause, this.#offer?.setting.chain.name ?? "this chain")
      if (this.#asked === asked) this.#refusal = words
      return null
    })
    if (this.#asked === asked) this.#answered()
    this.#make()
    this.#render()
    return answer
  }

  /** @param {FoundWallet} found */
  async #connect(found) {
    const changed = (/** @type {ConnectedWallet} */ wallet) => {
      if (wallet !== this.#wallet) return
      if (wallet.account === null) this.#leave()
      else this.#restart()
    }
    const wallet = await this.#asking(() => connectWallet(found, changed))
    if (wallet === null) return
    // another one answered while nobody waited for this one
    if (this.#wallet !== null) return wallet.leave()
    this.#wallet = wallet
    this.#restart()
  }

  async #switchChain() {
    const [wallet, chain] = [this.#wallet, this.#offer?.setting.chain]
    if (wallet && chain) await this.#asking(() => wallet.switchTo(chain.id))
  }

  /**
   * @param {"approval" | "swap"} what
   * @param {(swap: Prepared["swap"]) => UnsignedCall | undefined} callOf
   */
  async #sendCall(what, callOf) {
    const [wallet, made, offer] = [this.#wallet, this.#made(), this.#offer]
    const call = made === null ? undefined : callOf(made.swap)
    if (wallet === null || offer === null || call === undefined) return
    const hash = await this.#asking(() => wallet.send(call))
    if (hash === null) return
    this.#sent.add(hash, what, offer.setting.explorer)
    if (what === "swap") this.#options.onSent(hash)
    this.#pending = hash
    const { signal } = new AbortController()
    background(async () => {
      await this.#sent.mined(hash, wallet, signal)
      if (this.#pending === hash) this.#pending = null
      this.#options.again()
      this.#restart()
    }, signal)
    this.#render()
  }

  #render() {
    const [wallet, made, offer] = [this.#wallet, this.#made(), this.#offer]
    const hasWallets = wallet !== null || this.#found.length > 0
    byId("swap-steps", HTMLElement).hidden = offer === null && !hasWallets
    this.#renderPayer(wallet)
    const isElsewhere = wallet !== null && offer !== null && wallet.chainId !== offer.quote.chain
    this.#switch.hidden = !isElsewhere
    setText(this.#switch, `Switch the wallet to ${offer?.setting.chain.name ?? ""}`)
    const isFree = this.#asked === null && this.#pending === null
    const canAsk = wallet !== null && !isElsewhere && isFree && offer?.isExpired === false
    this.#renderApproval(made, canAsk)
    this.#send.hidden = offer === null || wallet === null || isElsewhere
    setOff(this.#send, !canAsk || made === null || !isSendable(made))
    this.#send.setAttribute("aria-busy", String(this.#asked !== null || this.#isMaking))
    const trial = made && offer ? trialWords(made, offer.setting.receive) : null
    const simulation = byId("swap-simulation", HTMLElement)
    setText(simulation, trial?.text ?? "")
    simulation.dataset["state"] = trial === null ? "" : trial.isGood ? "good" : "bad"
    this.#renderProblem(isElsewhere)
    const calls = byId("swap-calls", HTMLDetailsElement)
    calls.hidden = made === null
    const text = made === null ? "" : JSON.stringify(made.swap)
    if (calls.dataset["shown"] === text) return
    calls.dataset["shown"] = text
    byId("swap-call", HTMLElement).replaceChildren(...(made === null ? [] : callParts(made.swap)))
  }

  /** @param {ConnectedWallet | null} wallet */
  #renderPayer(wallet) {
    this.#wallets.hidden = wallet !== null
    byId("swap-no-wallet", HTMLElement).hidden = wallet !== null || this.#found.length > 0
    byId("swap-taker-field", HTMLElement).hidden = wallet !== null || this.#offer === null
    this.#connected.hidden = wallet === null
    if (wallet?.account === undefined || wallet.account === null) return
    const name = byId("swap-account", HTMLElement)
    if (name.dataset["account"] === wallet.account) return
    name.dataset["account"] = wallet.account
    name.replaceChildren(
      element("bdi", {}, wallet.name),
      " ",
      copyButton({ text: shortAddress(wallet.account), value: wallet.account, what: "Wallet" })
    )
  }

  /** @param {Prepared | null} made @param {boolean} canAsk */
  #renderApproval(made, canAsk) {
    const approval =
      made !== null && made.swap.approval?.needed !== false ? made.swap.approval : null
    byId("swap-approval", HTMLElement).hidden = approval === null
    const offer = this.#offer
    if (approval === null || made === null || offer === null) return
    this.#reset.hidden = this.#wallet === null || approval.resetFirst !== true
    this.#approve.hidden = this.#wallet === null
    setOff(this.#reset, !canAsk)
    setOff(this.#approve, !canAsk || approval.resetFirst === true)
    const text = byId("swap-approval-text", HTMLElement)
    const key = JSON.stringify(approval)
    if (text.dataset["shown"] === key) return
    text.dataset["shown"] = key
    const { pay } = offer.setting
    const amount = shortAmount(BigInt(approval.amount), pay.decimals)
    const must = wantsApproval(made)
      ? "has to be allowed"
      : "may have to be allowed (no node tells)"
    text.replaceChildren(
      "The swap contract ",
      copyButton({
        text: shortAddress(approval.spender),
        value: approval.spender,
        what: "Spender"
      }),
      ` ${must} to take ${amount} `,
      element("bdi", {}, symbolOf(pay)),
      " (",
      copyButton({ text: shortAddress(approval.token), value: approval.token, what: "Token" }),
      "), and no more.",
      approval.resetFirst === true ? " The token wants the old allowance reset first." : ""
    )
  }

  /** @param {boolean} isElsewhere */
  #renderProblem(isElsewhere) {
    const offer = this.#offer
    const elsewhere =
      isElsewhere && offer
        ? `The wallet is on chain ${this.#wallet?.chainId ?? "unknown"}, this swap on ${offer.setting.chain.name}.`
        : ""
    setText(byId("swap-problem", HTMLElement), this.#refusal || elsewhere || this.#problem)
    const pending = this.#pending === null ? "" : "What was sent waits for its block."
    const waits = this.#asked === null ? pending : "Look at your wallet: it asks you."
    setText(byId("swap-asking", HTMLElement), waits)
    this.#stop.hidden = waits === ""
  }
}
