// @ts-check
/**
 * Wallets of the browser: found (EIP-6963, else `window.ethereum`), connected and asked (EIP-1193).
 * The page holds no key: a wallet signs, or refuses.
 */

import { isAddress } from "./addresses.js"
import { cleanLabel } from "./format.js"

/** @typedef {import("./types.d.ts").WalletProvider} WalletProvider */
/** @typedef {import("./types.d.ts").FoundWallet} FoundWallet */
/** @typedef {import("./types.d.ts").UnsignedCall} UnsignedCall */
/** @typedef {{ status: "succeeded" | "reverted", block: number }} Receipt */

const NAME_LENGTH = 40

/** @type {(provider: unknown) => provider is WalletProvider} */
const isProvider = provider => typeof (/** @type {any} */ (provider)?.request) === "function"

/** @type {(info: unknown) => string} */
const nameOf = info => {
  const { name } = /** @type {{ name?: unknown }} */ (info ?? {})
  return cleanLabel(typeof name === "string" ? name : "", NAME_LENGTH) || "Wallet"
}

/**
 * Looks for wallets; those that come later are found, too.
 *
 * @param {Window} browser
 * @param {(wallets: ReadonlyArray<FoundWallet>) => void} onChange told whenever one is found
 */
export const findWallets = (browser, onChange) => {
  /** @type {FoundWallet[]} */
  const announced = []
  const plain = /** @type {{ ethereum?: unknown }} */ (browser).ethereum
  browser.addEventListener("eip6963:announceProvider", event => {
    const { info, provider } = /** @type {CustomEvent} */ (event).detail ?? {}
    if (!isProvider(provider) || announced.some(each => each.provider === provider)) return
    announced.push({ name: nameOf(info), provider })
    onChange([...announced])
  })
  browser.dispatchEvent(new Event("eip6963:requestProvider"))
  if (announced.length === 0 && isProvider(plain)) {
    onChange([{ name: "Browser wallet", provider: plain }])
  }
}

/** @type {(id: number | bigint) => string} */
const hex = id => `0x${id.toString(16)}`

/** @type {(value: unknown) => string | null} the first account that a wallet tells */
const accountIn = value => {
  const [first] = Array.isArray(value) ? value : []
  return typeof first === "string" && isAddress(first) ? first.toLowerCase() : null
}

/** @type {(value: unknown) => number | null} a number as wallets tell it */
const chainNumber = value => {
  const told = typeof value === "string" && value !== "" ? Number(value) : value
  return typeof told === "number" && Number.isSafeInteger(told) && told >= 0 ? told : null
}

/** Selector of a token's `balanceOf(address)`. */
const BALANCE_OF = "0x70a08231"

/** @type {(value: unknown) => bigint} a number of 256 bits at most */
const rawIn = value => {
  const isHex = typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value)
  if (!isHex) throw new Error("it told no number")
  return BigInt(value)
}

/** A wallet that has shown an account. */
export class ConnectedWallet {
  name
  /** lower case @type {string | null} null: the wallet shows none any more */
  account
  /** the chain that the wallet is on @type {number | null} null where it does not say */
  chainId
  #provider
  #onChange
  /** @type {ReadonlyArray<readonly [string, (value: unknown) => void]>} */
  #listeners

  /**
   * @param {FoundWallet} found
   * @param {string | null} account
   * @param {number | null} chainId
   * @param {() => void} onChange
   */
  constructor({ name, provider }, account, chainId, onChange) {
    this.name = name
    this.account = account
    this.chainId = chainId
    this.#provider = provider
    this.#onChange = onChange
    this.#listeners = [
      ["accountsChanged", value => this.#set(accountIn(value), this.chainId)],
      ["chainChanged", value => this.#set(this.account, chainNumber(value))],
      ["disconnect", () => this.#set(null, null)]
    ]
    for (const [event, listener] of this.#listeners) provider.on?.(event, listener)
  }

  /** @param {string | null} account @param {number | null} chainId */
  #set(account, chainId) {
    this.account = account
    this.chainId = chainId
    this.#onChange()
  }

  /** @param {string} method @param {ReadonlyArray<unknown>} [params] */
  async #ask(method, params = []) {
    return this.#provider.request({ method, params })
  }

  /** Has the wallet change its chain. @param {number} chainId */
  async switchTo(chainId) {
    await this.#ask("wallet_switchEthereumChain", [{ chainId: hex(chainId) }])
    this.#set(this.account, chainNumber(await this.#ask("eth_chainId")))
  }

  /**
   * Has the wallet sign and send a transaction.
   *
   * @param {UnsignedCall} call
   * @returns {Promise<string>} its hash
   * @throws what the wallet throws; an error where it is on another chain than the transaction
   */
  async send({ chainId, from, to, data, value, gas }) {
    const present = chainNumber(await this.#ask("eth_chainId"))
    if (present !== chainId) {
      this.#set(this.account, present)
      throw new Error(`it is on chain ${present}, the transaction is of chain ${chainId}`)
    }
    const limit = gas === undefined ? {} : { gas: hex(BigInt(gas)) }
    const call = { from, to, data, value: hex(BigInt(value)), chainId: hex(chainId), ...limit }
    const hash = await this.#ask("eth_sendTransaction", [call])
    if (typeof hash === "string" && /^0x[0-9a-fA-F]{64}$/.test(hash)) return hash.toLowerCase()
    throw new Error("it gave no transaction hash")
  }

  /**
   * Raw units that the account has, as the wallet's own node tells.
   *
   * @param {string | null} token null: of the native unit
   * @returns {Promise<bigint>}
   * @throws what the wallet throws; an error where it tells none
   */
  async balance(token) {
    const account = this.account ?? ""
    if (token === null) return rawIn(await this.#ask("eth_getBalance", [account, "latest"]))
    const data = `${BALANCE_OF}${account.slice(2).padStart(64, "0")}`
    const call = { from: account, to: token, data, value: "0x0" }
    return rawIn(await this.#ask("eth_call", [call, "latest"]))
  }

  /** Wei for a unit of gas, as the wallet's own node tells. @returns {Promise<bigint>} */
  async gasPrice() {
    return rawIn(await this.#ask("eth_gasPrice"))
  }

  /**
   * @param {string} hash
   * @returns {Promise<Receipt | null>} null while it is in no block, as far as the wallet tells
   */
  async receipt(hash) {
    const told = /** @type {any} */ (await this.#ask("eth_getTransactionReceipt", [hash]))
    const [status, block] = [chainNumber(told?.status), chainNumber(told?.blockNumber)]
    if (block === null || (status !== 0 && status !== 1)) return null
    return { status: status === 1 ? "succeeded" : "reverted", block }
  }

  /** Forgets the wallet, which is not told, whatever it does about it. */
  leave() {
    this.#onChange = () => {}
    for (const [event, listener] of this.#listeners) {
      try {
        this.#provider.removeListener?.(event, listener)
      } catch {
        // its events are heard by nobody all the same
      }
    }
  }
}

/**
 * Asks a wallet to show an account.
 *
 * @param {FoundWallet} found
 * @param {(wallet: ConnectedWallet) => void} onChange told when its account or chain is another
 * @returns {Promise<ConnectedWallet>}
 * @throws what the wallet throws
 */
export const connectWallet = async (found, onChange) => {
  const account = accountIn(await found.provider.request({ method: "eth_requestAccounts" }))
  if (account === null) throw new Error("it shows no account")
  const chainId = chainNumber(await found.provider.request({ method: "eth_chainId" }))
  /** @type {ConnectedWallet} */
  const wallet = new ConnectedWallet(found, account, chainId, () => onChange(wallet))
  return wallet
}
