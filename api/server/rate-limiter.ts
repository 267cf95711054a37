/**
 * Requests a minute by caller and bucket (spec, part 8): fixed windows on the clock's minutes. A
 * caller is an address, or a key where the request has one. A check costs one map update; where too
 * many callers come in one window to remember, the newest are let through, as the spec wants of a
 * limiter whose store fails.
 */
import type { ApiKey } from "../../engine/keys/key-book.ts"
import { ANONYMOUS, BUCKETS, type BucketName } from "../../src/rules/plans.ts"
import type { WindowUse } from "../caller-key.ts"

/** Path prefixes; the first that fits counts. */
const PREFIXES: ReadonlyArray<readonly [string, BucketName]> = [
  ["/metrics", "metrics"],
  ["/v1/health", "health"],
  ["/v1/status", "health"],
  ["/v1/tokens", "data"],
  ["/v1/portfolio/", "data"],
  ["/v1/market", "data"],
  ["/v1/stream/", "data"],
  ["/v1/logo/", "logos"],
  ["/v1/crosschain/status", "bridge"],
  ["/v1/", "default"]
]

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A path as the router takes it: any letter case, escapes and slashes too many mean the same. */
const asRouted = (path: string): string =>
  (path.includes("%") ? decoded(path) : path).toLowerCase().replace(/\/{2,}/g, "/")

/** Buckets of what is read; another method below `/v1` counts by `default`. */
const bucketOfRead = (path: string): BucketName => {
  const routed = asRouted(path)
  for (const [prefix, name] of PREFIXES) if (routed.startsWith(prefix)) return name
  return "data"
}

/**
 * The bucket of a request; its method is in lower case. The page's own files and docs count as data
 * reads.
 */
export const bucketOf = (path: string, method = "get"): BucketName => {
  if (method === "options") return "preflight"
  return method === "get" || method === "head" ? bucketOfRead(path) : "default"
}

export interface RateLimitOptions {
  /** false: everything is counted, nothing refused */
  readonly enforced: boolean
  /** whether callers on this machine are refused too */
  readonly loopbackEnforced: boolean
  /** callers remembered in a window and bucket */
  readonly maxCallers?: number
  /** Unix milliseconds */
  readonly now?: () => number
}

/** Counts of a window that another node tells of, or is told of. */
export interface CountedMore {
  readonly bucket: BucketName
  readonly caller: CallerId
  readonly requests: number
}

/** A caller as it is counted: an address, or a key by its id, which no address looks like. */
export type CallerId = number | string

interface Bucket {
  readonly limit: number
  /** the header lines after what a caller without a key has left, of this window */
  lines: string
  readonly counts: Map<CallerId, number>
}

const WINDOW_SECONDS = 60

const isMappedV4 = (bytes: Uint8Array): boolean =>
  bytes[10] === 255 && bytes[11] === 255 && bytes.subarray(0, 10).every(byte => byte === 0)

const hex = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0")
  return text
}

/**
 * A caller's key: an IPv4 address as a 32-bit integer (small, so a map holds it unboxed), of an
 * IPv6 address its /64, for one caller owns that much.
 */
export const callerKey = (address: ArrayBuffer): CallerId => {
  if (address.byteLength === 4) return new DataView(address).getInt32(0)
  const bytes = new Uint8Array(address)
  if (isMappedV4(bytes)) return new DataView(address).getInt32(12)
  return hex(bytes.subarray(0, 8))
}

/** 127.0.0.0/8, ::1 or the former mapped into IPv6. */
export const isLoopback = (address: ArrayBuffer): boolean => {
  const bytes = new Uint8Array(address)
  if (bytes.length !== 16) return bytes[0] === 127
  if (isMappedV4(bytes)) return bytes[12] === 127
  return bytes[15] === 1 && bytes.subarray(0, 15).every(byte => byte === 0)
}

export class RateLimiter {
  private readonly options: RateLimitOptions
  private readonly now: () => number
  private readonly maxCallers: number
  private readonly buckets: { readonly [name in BucketName]: Bucket }
  private windowEnd = 0
  /** told of each request that is let through; null where no other node counts with this one */
  onTaken: ((windowEnd: number, bucket: BucketName, caller: CallerId) => void) | null = null

  constructor(options: RateLimitOptions) {
    this.options = options
    this.now = options.now ?? Date.now
    this.maxCallers = options.maxCallers ?? 100_000
    const bucket = (limit: number): Bucket => ({ limit, lines: "", counts: new Map() })
    this.buckets = Object.fromEntries(
      BUCKETS.map(name => [name, bucket(ANONYMOUS[name])])
    ) as typeof this.buckets
  }

  /** Unix second at which the present window ends. */
  get resetSeconds(): number {
    this.turn()
    return this.windowEnd
  }

  /** Seconds until the window ends. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil((this.windowEnd * 1000 - this.now()) / 1000))
  }

  /**
   * Whether limits hold for a caller: for a key always where they are on, for an address on this
   * machine only where that is set.
   */
  holdsFor(address: ArrayBuffer, key: ApiKey | null): boolean {
    const { enforced, loopbackEnforced } = this.options
    return enforced && (key !== null || loopbackEnforced || !isLoopback(address))
  }

  limitOf(name: BucketName, key: ApiKey | null): number {
    return key === null ? this.buckets[name].limit : key.limits[name]
  }

  /**
   * The value of `X-RateLimit-Remaining`, and after it the lines of the other two headers. `left`
   * is -1 where the request is refused.
   */
  leftLines(name: BucketName, key: ApiKey | null, left: number): string {
    const rest = key === null ? this.buckets[name].lines : this.linesOf(key.limits[name])
    return `${Math.max(left, 0)}${rest}`
  }

  /** Counts a request. Answers how many the caller has left, or -1 where this one is refused. */
  take(name: BucketName, address: ArrayBuffer, key: ApiKey | null): number {
    this.turn()
    const { counts } = this.buckets[name]
    const limit = this.limitOf(name, key)
    const caller = key?.id ?? callerKey(address)
    const count = counts.get(caller) ?? 0
    if (count === 0 && counts.size >= this.maxCallers) return limit
    if (count < limit) {
      counts.set(caller, count + 1)
      this.onTaken?.(this.windowEnd, name, caller)
      return limit - count - 1
    }
    return this.holdsFor(address, key) ? -1 : 0
  }

  /** Adds what another node let through in a window; of another than the present one nothing. */
  add(windowEnd: number, more: ReadonlyArray<CountedMore>): void {
    if (windowEnd !== this.resetSeconds) return
    for (const { bucket, caller, requests } of more) {
      const { counts } = this.buckets[bucket]
      const count = counts.get(caller) ?? 0
      if (count > 0 || counts.size < this.maxCallers) counts.set(caller, count + requests)
    }
  }

  /** What a key has used of the present window. */
  useOf({ id, limits }: ApiKey): WindowUse {
    const reset = this.resetSeconds
    const buckets = BUCKETS.map(name => {
      const limit = limits[name]
      const used = Math.min(this.buckets[name].counts.get(id) ?? 0, limit)
      return [name, { limit, used, remaining: limit - used }]
    })
    return { since: reset - WINDOW_SECONDS, reset, buckets: Object.fromEntries(buckets) }
  }

  private linesOf(limit: number): string {
    return `\r\nx-ratelimit-limit: ${limit}\r\nx-ratelimit-reset: ${this.windowEnd}`
  }

  /** Opens the window that it is now, also where the clock was set back. */
  private turn(): void {
    const leftMs = this.windowEnd * 1000 - this.now()
    if (leftMs <= 0 || leftMs > WINDOW_SECONDS * 1000) this.open()
  }

  private open(): void {
    this.windowEnd = (Math.floor(this.now() / 1000 / WINDOW_SECONDS) + 1) * WINDOW_SECONDS
    for (const bucket of Object.values(this.buckets)) {
      bucket.counts.clear()
      bucket.lines = this.linesOf(bucket.limit)
    }
  }
}
