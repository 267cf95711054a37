// @ts-check
/** Reads of the HTTP API, with the log position of each answer. */

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").Trade} Trade */
/** @typedef {import("./types.d.ts").CandlePage} CandlePage */
/** @typedef {import("./types.d.ts").LaneStatus} LaneStatus */

/** A read that did not give what was asked for; `code` is the server's, or one of ours. */
export class Problem extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ status?: number, waitMs?: number }} [detail] `waitMs`: the server asks to wait
   */
  constructor(code, message, { status = 0, waitMs = 0 } = {}) {
    super(message)
    this.code = code
    this.status = status
    this.waitMs = waitMs
  }
}

const PATIENCE_MS = 15_000

/** @type {(response: Response) => number} milliseconds until the rate limit's next minute */
const limitWaitMs = response => {
  const resetSeconds = Number(response.headers.get("x-ratelimit-reset"))
  return Number.isFinite(resetSeconds) ? Math.max(0, resetSeconds * 1000 - Date.now()) : 0
}

/** @type {(response: Response) => Promise<any>} */
const bodyOf = response =>
  response.json().catch(() => {
    throw new Problem("BAD_ANSWER", `the server's answer (${response.status}) is not JSON`)
  })

/**
 * @typedef {object} Answer
 * @property {any} body
 * @property {number | null} seq the log position it reflects
 * @property {string | null} log id of that log
 * @property {number} at Unix seconds, by the server's clock
 */

/**
 * @param {string} path below /v1
 * @param {RequestInit} request
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 * @throws {Problem} with the server's code, or `UNREACHABLE`, `BAD_ANSWER`
 */
const ask = async (path, request, signal) => {
  const response = await fetch(`/v1${path}`, {
    ...request,
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  }).catch(cause => {
    signal.throwIfAborted()
    throw new Problem("UNREACHABLE", `the server does not answer (${cause.message})`)
  })
  const body = await bodyOf(response)
  if (!response.ok) {
    const { error = "ERROR", message = `the server answered ${response.status}` } = body ?? {}
    const waitMs = response.status === 429 ? limitWaitMs(response) : 0
    throw new Problem(String(error), String(message), { status: response.status, waitMs })
  }
  const header = response.headers.get("x-log-seq")
  const seq = header === null || header === "" ? null : Number(header)
  const dated = Date.parse(response.headers.get("date") ?? "")
  return {
    body,
    seq: Number.isFinite(seq) ? seq : null,
    log: response.headers.get("x-log"),
    at: Math.floor((Number.isNaN(dated) ? Date.now() : dated) / 1000)
  }
}

/**
 * @param {string} path below /v1
 * @param {Record<string, string | number | null | undefined>} query empty values are left out
 * @param {AbortSignal} signal
 */
export const read = (path, query, signal) => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.set(name, String(value))
  }
  const suffix = search.size > 0 ? `?${search}` : ""
  return ask(`${path}${suffix}`, { headers: { accept: "application/json" } }, signal)
}

/** @type {(path: string, body: object, signal: AbortSignal) => Promise<Answer>} */
export const post = (path, body, signal) => {
  const headers = { accept: "application/json", "content-type": "application/json" }
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) }, signal)
}

/** @type {(body: any, field: string) => any[]} */
const listIn = (body, field) => {
  if (Array.isArray(body?.[field])) return body[field]
  throw new Problem("BAD_ANSWER", `the server's answer has no list of ${field}`)
}

/** @type {(value: unknown) => string | null} */
const textOrNull = value => (typeof value === "string" && value !== "" ? value : null)
/** @type {(value: unknown) => number | null} */
const numberOrNull = value => (typeof value === "number" && Number.isFinite(value) ? value : null)

/** @type {(signal: AbortSignal) => Promise<Chain[]>} */
export const loadChains = async signal => {
  const { body } = await read("/chains", {}, signal)
  return listIn(body, "chains").map(row => ({
    id: Number(row.id),
    key: String(row.key),
    name: textOrNull(row.name) ?? String(row.key),
    hasKeyedTape: String(row.routes?.trades).startsWith("/v1/chains/"),
    explorer: explorerOf(row.explorer),
    native: {
      symbol: textOrNull(row.native?.symbol) ?? "native unit",
      decimals: numberOrNull(row.native?.decimals)
    },
    anchors: (Array.isArray(row.anchors) ? row.anchors : []).map((/** @type {any} */ anchor) => ({
      address: String(anchor.address).toLowerCase(),
      kind: String(anchor.kind)
    }))
  }))
}

/** @type {(value: unknown) => string | null} an address of the web, and nothing else */
const explorerOf = value =>
  typeof value === "string" && /^https:\/\/[a-z0-9.-]+$/.test(value) ? value : null

const TOKENS_MAX = 1000
const SEARCH_MAX = 60

/** @type {(row: any) => Token} */
const tokenOf = row => ({
  address: String(row.address).toLowerCase(),
  symbol: textOrNull(row.symbol),
  name: textOrNull(row.name),
  decimals: numberOrNull(row.decimals),
  priceUsd: numberOrNull(row.priceUsd),
  change24hPct: numberOrNull(row.change24hPct),
  changeSince: numberOrNull(row.changeSince)
})

/** @type {(chain: Chain, signal: AbortSignal) => Promise<Token[]>} in the server's order */
export const loadTokens = async (chain, signal) => {
  const query = { chain: chain.id, limit: TOKENS_MAX, includeUnlisted: 1 }
  const { body } = await read("/tokens", query, signal)
  return listIn(body, "tokens").map(tokenOf)
}

/**
 * Trades of a token in the last 24 hours, also those that no candle counts.
 *
 * @type {(chain: Chain, token: string, signal: AbortSignal) => Promise<number | null>}
 */
export const loadDayTrades = async (chain, token, signal) => {
  const { body } = await read(`/tokens/stats/${token}`, { chain: chain.id }, signal)
  return numberOrNull(body?.windows?.h24?.txns)
}

/** @type {(chain: Chain, text: string, signal: AbortSignal) => Promise<Token[]>} best first */
export const searchTokens = async (chain, text, signal) => {
  const query = { chain: chain.id, q: text.slice(0, 64), limit: SEARCH_MAX }
  const { body } = await read("/tokens/search", query, signal)
  return listIn(body, "tokens").map(tokenOf)
}

/** @type {(signal: AbortSignal) => Promise<LaneStatus[]>} */
export const loadStatus = async signal => {
  const { body } = await read("/status", {}, signal)
  return listIn(body, "lanes")
}

/**
 * @param {{ chain: Chain, token: string, tf: string, to?: number, limit?: number }} wanted
 * @param {AbortSignal} signal
 * @returns {Promise<CandlePage & { seq: number | null, log: string | null }>} oldest first
 */
export const loadCandles = async ({ chain, token, tf, to, limit }, signal) => {
  const query = { chain: chain.id, token, tf, to, limit }
  const { body, ...place } = await read("/candles", query, signal)
  const range = { from: Number(body.from), to: Number(body.to) }
  return { candles: listIn(body, "candles"), ...range, ...place }
}

const TRADES_PER_PAGE = 50

/**
 * A page of trades, newest first.
 *
 * @param {{ chain: Chain, token: string, after: ReadonlyArray<Trade> }} wanted `after`: the trades
 *   already had, newest first; the page holds what comes after them (and may repeat some)
 * @param {AbortSignal} signal
 * @returns {Promise<{ trades: Trade[], more: boolean, seq: number | null, log: string | null }>}
 */
export const loadTrades = async ({ chain, token, after }, signal) => {
  if (chain.hasKeyedTape) {
    const last = after.at(-1)
    const before = last && `${last.ts}:${last.block}:${last.logIndex}`
    const path = `/chains/${chain.key}/token/${token}/trades`
    const { body, ...place } = await read(path, { limit: TRADES_PER_PAGE, before }, signal)
    const more = typeof body.nextBefore === "string"
    return { trades: listIn(body, "trades"), more, ...place }
  }
  const page = Math.floor(after.length / TRADES_PER_PAGE) + 1
  const query = { chain: chain.id, limit: TRADES_PER_PAGE, page }
  const { body, ...place } = await read(`/tokens/trades/${token}`, query, signal)
  const more = page * TRADES_PER_PAGE < Number(body.total)
  return { trades: listIn(body, "trades"), more, ...place }
}
