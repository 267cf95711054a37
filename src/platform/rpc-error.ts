/**
 * Classifies the errors of an RPC. Providers agree on neither codes nor words, so method, code and
 * message together decide; the table below lists the words of common providers.
 */
import { Data } from "effect"

/**
 * - `timeout`: no answer in time; `rate-limited`: send fewer requests; `dead`: no connection, or a
 *   gateway's HTTP error; `bad-answer`: the answer is not valid; `forgotten`: the node returned
 *   nothing for data that it must have had once
 * - `range-too-wide`, `too-many-results`: request fewer blocks
 * - `unsupported`: the node lacks the method; `reverted`: the called contract refused;
 *   `no-state`: the node lacks that block (not yet there, or already pruned)
 * - `rpc`: any other error object
 */
export type RpcErrorKind =
  | "timeout"
  | "rate-limited"
  | "range-too-wide"
  | "too-many-results"
  | "bad-answer"
  | "forgotten"
  | "dead"
  | "unsupported"
  | "reverted"
  | "no-state"
  | "rpc"

/** An RPC call failed. The message names the host, never the URL's path, query or password. */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly kind: RpcErrorKind
  readonly endpoint: string
  readonly method: string
  readonly message: string
  readonly code?: number
  /** milliseconds that the server wants before the next request */
  readonly retryAfterMs?: number
  /** widest range, in blocks, that the server says it accepts */
  readonly maxBlocks?: number
  /** what a contract reverted with, as hex, where the node tells it */
  readonly revertData?: `0x${string}`
}> {}

interface Rule {
  readonly kind: RpcErrorKind
  readonly codes?: ReadonlyArray<number>
  readonly words?: RegExp
  /** the only method that the rule holds for; where absent, all methods */
  readonly method?: string
}

/** The first rule whose method fits and whose codes or words match decides. */
const rules: ReadonlyArray<Rule> = [
  {
    // First, because a revert's message holds the contract's own text, which may match any rule
    // below. Nodes that limit seconds instead of gas answer "execution aborted".
    kind: "reverted",
    method: "eth_call",
    codes: [3],
    words: /revert|execution aborted/i
  },
  {
    kind: "rate-limited",
    codes: [429, -32029, -32016, -32007, -32090, -32097],
    words:
      /rate.?limit|too many requests|requests? (limit|per second|count)|compute units|per second|throughput|capacity|quota|over rate|request rate/i
  },
  {
    // Such messages may suggest a range with fewer results, which is no limit of blocks.
    kind: "too-many-results",
    method: "eth_getLogs",
    words: /more than [\d,]+ (results|logs)|logs matched by query exceed/i
  },
  {
    kind: "no-state",
    method: "eth_getLogs",
    words: /beyond (the )?(current |latest )?head|blocks? .{0,60}cannot be found/i
  },
  {
    kind: "range-too-wide",
    method: "eth_getLogs",
    codes: [-32614, -32047],
    words:
      /block range|range (is )?(too|limit|exceed)|max(imum)?.{0,12}range|limited to (a |0 - )?[\d,]+k? ?(blocks?|range)|too many blocks|ranges? over|blocks? distance|query timeout|10 block/i
  },
  {
    kind: "too-many-results",
    method: "eth_getLogs",
    codes: [-32005],
    words:
      /(more than|over|max(imum)?) [\d,]+ (results|logs)|max results|too many (results|logs)|(response|result|content|body).{0,20}(size|length|too (large|big))|too (large|big)|limit exceeded/i
  },
  {
    kind: "unsupported",
    codes: [-32601, -32004],
    words:
      /method.{0,40}not (found|supported|available|exist|allowed|whitelisted)|unsupported method/i
  },
  {
    kind: "reverted",
    method: "eth_call",
    codes: [-32015],
    words: /opcode|out of gas|[ev]vm (execution|exception|error)|stack ?(under|over)flow|jump/i
  },
  {
    kind: "no-state",
    words:
      /missing trie node|BlockOutOfRange|header (for hash )?not found|(unknown|not find|no such|future) block|block.{0,30}not (found|exist|available)|state.{0,30}(not available|unavailable|pruned)|pruned|archive|historical/i
  },
  { kind: "timeout", codes: [-32002], words: /timed? ?out/i }
]

const matches = (rule: Rule, method: string, code: number, message: string): boolean =>
  (rule.method === undefined || rule.method === method) &&
  (rule.codes?.includes(code) === true || rule.words?.test(message) === true)

/** Returns the kind of an error object `{ code, message }` of a method. */
export const errorKind = (method: string, code: number, message: string): RpcErrorKind =>
  rules.find(rule => matches(rule, method, code, message))?.kind ?? "rpc"

/** Returns the kind of an HTTP status other than 2xx. */
export const statusKind = (method: string, status: number): RpcErrorKind => {
  if (status === 429) return "rate-limited"
  if (status === 408 || status === 504 || status === 524) return "timeout"
  if (status === 413 && method === "eth_getLogs") return "too-many-results"
  if (status === 405 || status === 501) return "unsupported"
  return "dead"
}

/** Match a limit of blocks in a message, such as "10,000" or "up to a 2K block range". */
const LIMITS = [
  /(?:max(?:imum)?(?: is(?: set to)?| block range| range)?:?|limited to(?: a| 0 -)?|up to a|over) ?([\d,]+)(k?)\b/i,
  /([\d,]+)(k?) ?-?block range/i
]

/** Returns the widest range, in blocks, that a message names; undefined where it names none. */
export const namedBlockLimit = (message: string): number | undefined => {
  for (const pattern of LIMITS) {
    const [, digits = "0", thousands = ""] = pattern.exec(message) ?? []
    const limit = Number(digits.replaceAll(",", "")) * (thousands === "" ? 1 : 1000)
    if (limit > 0) return limit
  }
  return undefined
}

/** Returns the milliseconds of a `Retry-After` header (seconds or a date); undefined for others. */
export const retryAfterMs = (header: string | null, nowMs: number): number | undefined => {
  if (header === null || header === "") return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

const parseUrl = (url: string): URL | null => (URL.canParse(url) ? new URL(url) : null)

/** Returns host and port, the only parts of a URL that may be shown. */
export const urlLabel = (url: string): string => {
  const parsed = parseUrl(url)
  return parsed === null || parsed.host === "" ? "invalid URL" : parsed.host
}

/** Control and formatting characters, which could break lines or hide other text. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

/**
 * Returns a node's text as one line that may be shown: without the URL's secrets (user, password,
 * path parts of 8 characters and more, query values) and without characters that steer a terminal.
 */
export const withoutSecrets = (text: string, url: string): string => {
  const parsed = parseUrl(url)
  const line = text.replace(UNSHOWABLE, " ")
  if (parsed === null) return line
  const secrets = [
    parsed.username,
    parsed.password,
    ...parsed.pathname.split("/").filter(part => part.length >= 8),
    ...parsed.searchParams.values()
  ].filter(secret => secret.length > 0)
  let clean = line.replaceAll(url, parsed.host)
  for (const secret of secrets) clean = clean.replaceAll(secret, "***")
  return clean
}
