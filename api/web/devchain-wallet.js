// @ts-check
/**
 * A wallet for simulated chains, as EIP-1193 has it: one account that the chain's own node signs
 * for, asked through the server. The page holds no key, and on any other chain there is none.
 */

import { api } from "./http.js"

/** @typedef {import("./types.d.ts").FoundWallet} FoundWallet */
/** @typedef {import("../../client/generated/routes.d.ts").WalletBody} WalletBody */
/** @typedef {import("../../client/generated/routes.d.ts").WalletAnswer} WalletAnswer */

/** @type {(code: number, message: string) => Error} as EIP-1193 has them */
const refusal = (code, message) => Object.assign(new Error(message), { code })

/** @type {(id: number) => string} */
const hex = id => `0x${id.toString(16)}`

/**
 * @param {ReadonlyArray<number>} chains ids of the simulated chains
 * @param {number} first that of them which it is on
 * @returns {FoundWallet}
 */
export const devchainWallet = (chains, first) => {
  let chainId = first
  /** @type {(method: WalletBody["method"], more?: Partial<WalletBody>) => Promise<WalletAnswer>} */
  const ask = async (method, more = {}) =>
    (await api.postDevchainWallet({ chainId, method, ...more })).body
  /** @type {Record<string, (first: any) => Promise<unknown>>} */
  const methods = {
    eth_chainId: async () => hex(chainId),
    eth_requestAccounts: async () => [(await ask("eth_accounts")).account],
    eth_sendTransaction: async ({ from, to, data, value, gas }) =>
      (await ask("eth_sendTransaction", { call: { from, to, data, value, ...(gas && { gas }) } }))
        .hash,
    eth_getBalance: async () => (await ask("eth_getBalance")).value,
    eth_gasPrice: async () => (await ask("eth_gasPrice")).value,
    eth_call: async call => (await ask("eth_call", { call })).value,
    eth_getTransactionReceipt: async hash =>
      (await ask("eth_getTransactionReceipt", { hash })).receipt,
    wallet_switchEthereumChain: async wanted => {
      const id = Number(wanted.chainId)
      if (!chains.includes(id)) throw refusal(4902, "no simulated chain of that id")
      chainId = id
      return null
    }
  }
  return {
    name: "devchain account",
    provider: {
      request: async ({ method, params = [] }) => {
        const answer = methods[method]
        if (answer === undefined) throw refusal(4200, `${method} is not supported`)
        return answer(params[0])
      }
    }
  }
}
