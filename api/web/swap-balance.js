// @ts-check
/** What the connected wallet has of the token to pay with, and all of it as the amount. */

import { amountText, shortAmount, withoutGas } from "./amounts.js"
import { byId, setText } from "./dom.js"
import { symbolOf } from "./format.js"
import { NATIVE } from "./swap-order.js"

/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./wallet.js").ConnectedWallet} ConnectedWallet */
/** @typedef {{ wallet: ConnectedWallet, chainId: number, token: Token }} Asked */

/** Gas kept for a swap that is not made yet; one over a few pools has no higher limit. */
const USUAL_GAS = 700_000n

export class SwapBalance {
  #options
  #box = byId("swap-balance", HTMLElement)
  /** @type {ConnectedWallet | null} */
  #wallet = null
  /** @type {{ chainId: number, token: Token } | null} */
  #paid = null
  /** what is being read; what was asked before counts no more @type {Asked | null} */
  #asked = null

  /**
   * @param {object} options
   * @param {(amount: string) => void} options.onMax
   * @param {() => bigint | null} options.gas the limit of the swap that is made; null without one
   */
  constructor(options) {
    this.#options = options
    byId("swap-max", HTMLButtonElement).addEventListener("click", () => this.#fill())
  }

  /** Another account, or it has something else. @param {ConnectedWallet | null} wallet */
  of(wallet) {
    this.#wallet = wallet
    this.#read()
  }

  /** @param {number} chainId @param {Token} token */
  pay(chainId, token) {
    const before = this.#paid
    this.#paid = { chainId, token }
    if (chainId !== before?.chainId || token.address !== before.token.address) this.#read()
    else if (token.decimals !== before.token.decimals) this.#read()
  }

  /** What is to be read; null where nothing can be. @returns {Asked | null} */
  #subject() {
    const [wallet, paid] = [this.#wallet, this.#paid]
    if (wallet === null || paid === null || paid.token.decimals === null) return null
    return wallet.account === null || wallet.chainId !== paid.chainId ? null : { wallet, ...paid }
  }

  /** @param {Asked} asked @returns {Promise<bigint | null>} null: the wallet does not tell */
  #balance({ wallet, token }) {
    const of = token.address === NATIVE ? null : token.address
    return wallet.balance(of).catch(() => null)
  }

  async #read() {
    const asked = this.#subject()
    this.#asked = asked
    this.#box.hidden = true
    if (asked === null) return
    const balance = await this.#balance(asked)
    if (this.#asked !== asked || balance === null) return
    this.#show(asked, balance)
  }

  /** @param {Asked} asked @param {bigint} balance */
  #show({ token }, balance) {
    const text = byId("swap-balance-text", HTMLElement)
    setText(text, `Balance ${shortAmount(balance, token.decimals)} ${symbolOf(token)}`)
    text.dataset["raw"] = String(balance)
    this.#box.hidden = false
  }

  async #fill() {
    const asked = this.#asked
    if (asked === null) return
    const { wallet, token } = asked
    const isNative = token.address === NATIVE
    const [balance, price] = await Promise.all([
      this.#balance(asked),
      isNative ? wallet.gasPrice().catch(() => null) : 0n
    ])
    if (this.#asked !== asked || balance === null || price === null) return
    this.#show(asked, balance)
    const gas = this.#options.gas() ?? USUAL_GAS
    const most = isNative ? withoutGas(balance, gas, price) : balance
    this.#options.onMax(amountText(most, token.decimals ?? 0))
  }
}
