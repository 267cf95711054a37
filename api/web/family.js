// @ts-check
/** Routes below a chain: chains with a prefix of their own have other functions of the client. */

import { isSolana } from "./addresses.js"
import { api } from "./http.js"

/** @typedef {{ readonly signal: AbortSignal }} Options */
/** @typedef {import("./types.d.ts").Overview} Overview */
/**
 * @template Body
 * @typedef {import("../../client/client.d.ts").Answer<Body>} Answer
 */

const POOLS_MAX = 100
const HOLDERS_MAX = 50
const WALLET_TRADES_MAX = 50

const arc = {
  /** @type {(options: Options) => Promise<Answer<Overview>>} */
  overview: options => api.arcOverview({}, options),
  tokens: (
    /** @type {import("./types.d.ts").BoardInput} */ input,
    /** @type {Options} */ options
  ) => api.arcTokens(input, options),
  trending: (/** @type {Options} */ options) => api.arcTrending({}, options),
  pools: (/** @type {string} */ address, /** @type {Options} */ options) =>
    api.arcTokenPools({ address, limit: POOLS_MAX }, options),
  holders: (/** @type {string} */ address, /** @type {Options} */ options) =>
    api.getArcHolders({ address, limit: HOLDERS_MAX }, options),
  wallet: (
    /** @type {string} */ address,
    /** @type {number} */ days,
    /** @type {Options} */ options
  ) => api.arcWalletPnl({ address, days }, options),
  walletTrades: (
    /** @type {string} */ address,
    /** @type {string | undefined} */ before,
    /** @type {Options} */ options
  ) => api.arcWalletTrades({ address, before, limit: WALLET_TRADES_MAX }, options)
}

/** @type {typeof arc} */
const rh = {
  overview: options => api.rhOverview({}, options),
  tokens: (input, options) => api.rhTokens(input, options),
  trending: options => api.rhTrending({}, options),
  pools: (address, options) => api.rhTokenPools({ address, limit: POOLS_MAX }, options),
  holders: (address, options) => api.getRhHolders({ address, limit: HOLDERS_MAX }, options),
  wallet: (address, days, options) => api.rhWalletPnl({ address, days }, options),
  walletTrades: (address, before, options) =>
    api.rhWalletTrades({ address, before, limit: WALLET_TRADES_MAX }, options)
}

/** Of a chain that is a parameter. @param {string} chain */
const keyed = chain => ({
  /** @type {(options: Options) => Promise<Answer<Overview>>} */
  overview: options => api.chainOverview({ chain }, options),
  tokens: (
    /** @type {import("./types.d.ts").BoardInput} */ input,
    /** @type {Options} */ options
  ) => api.chainTokens({ chain, ...input }, options),
  trending: (/** @type {Options} */ options) => api.chainTrending({ chain }, options),
  pools: (/** @type {string} */ address, /** @type {Options} */ options) =>
    api.chainTokenPools({ chain, address, limit: POOLS_MAX }, options),
  holders: (/** @type {string} */ address, /** @type {Options} */ options) =>
    api.getChainHolders({ chain, address, limit: HOLDERS_MAX }, options),
  wallet: (
    /** @type {string} */ address,
    /** @type {number} */ days,
    /** @type {Options} */ options
  ) => api.chainWalletPnl({ chain, address, days }, options),
  walletTrades: (
    /** @type {string} */ address,
    /** @type {string | undefined} */ before,
    /** @type {Options} */ options
  ) => api.chainWalletTrades({ chain, address, before, limit: WALLET_TRADES_MAX }, options)
})

/**
 * The functions of a chain's family, the chain told.
 *
 * @type {(key: string) => typeof arc | ReturnType<typeof keyed>}
 */
export const familyOf = key => (key === "arc" ? arc : key === "rh" ? rh : keyed(key))

/**
 * New launches; null where the chain tells of none.
 *
 * @type {(key: string) => typeof api.arcGraduated | null}
 */
export const graduatedOf = key =>
  key === "arc" ? api.arcGraduated : key === "rh" ? api.rhGraduated : null

/**
 * Totals in Solana's own form, and how it is read; null where the chain's are as the others' are.
 *
 * @type {(key: string) => Pick<typeof api, "solanaOverview" | "solanaStatus"> | null}
 */
export const ownTotalsOf = key => (isSolana(key) ? api : null)

/**
 * When an answer is of, in Unix seconds: those of Solana tell that, others milliseconds.
 *
 * @type {(key: string, updatedAt: number) => number}
 */
export const secondOf = (key, updatedAt) => (isSolana(key) ? updatedAt : updatedAt / 1000)
