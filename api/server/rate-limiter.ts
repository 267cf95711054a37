/**
 * Requests a minute by caller and bucket (spec, part 8): fixed windows on the clock's minutes. A
 * check costs one map update; where too many callers come in one window to remember, the newest
 * are let through, as the spec wants of a limiter whose store fails.
 */

/** Anonymous limits a minute. What watches the service is not kept out by what reads data. */
const LIMITS = {
  default: 60,
  data: 300,
  logos: 3000,
  bridge: 240,
  health: 300,
  metrics: 60,
  /** questions of browsers whether they may read from another origin */
  preflight: 600,
  /** of live sockets, which are under no other limit a minute */
  upgrades: 120
} as const

export type BucketName = keyof typeof LIMITS
const BUCKETS = Object.keys(LIMITS) as ReadonlyArray<BucketName>

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

/** The bucket of a path. The page's own files and docs count as data reads. */
export const bucketOf = (path: string): BucketName => {
  const routed = asRouted(path)
  for (const [prefix, name] of PREFIXES) if (routed.startsWith(prefix)) return name
  return "data"
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

interface Bucket {
  readonly limit: number
  readonly limitText: string
  /** the header lines after what a caller has left, of this window */
  lines: string
  readonly counts: Map<number | string, number>
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
export const callerKey = (address: ArrayBuffer): number | string => {
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
  private windowEndMs = 0
  /** Unix second at which the window ends, as text */
  resetText = ""

  constructor(options: RateLimitOptions) {
    this.options = options
    this.now = options.now ?? Date.now
    this.maxCallers = options.maxCallers ?? 100_000
    const bucket = (limit: number): Bucket => ({
      limit,
      limitText: String(limit),
      lines: "",
      counts: new Map()
    })
    this.buckets = Object.fromEntries(
      BUCKETS.map(name => [name, bucket(LIMITS[name])])
    ) as typeof this.buckets
  }

  /** Seconds until the window ends. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil((this.windowEndMs - this.now()) / 1000))
  }

  /** Whether limits hold for a caller; they do for one on this machine only where that is set. */
  holdsFor(address: ArrayBuffer): boolean {
    const { enforced, loopbackEnforced } = this.options
    return enforced && (loopbackEnforced || !isLoopback(address))
  }

  /** The limit of a bucket, as text. */
  limitText(name: BucketName): string {
    return this.buckets[name].limitText
  }

  /**
   * The value of `X-RateLimit-Remaining`, and after it the lines of the other two headers. `left`
   * is -1 where the request is refused.
   */
  leftLines(name: BucketName, left: number): string {
    return `${Math.max(left, 0)}${this.buckets[name].lines}`
  }

  /** Counts a request. Answers how many the caller has left, or -1 where this one is refused. */
  take(name: BucketName, address: ArrayBuffer): number {
    const nowMs = this.now()
    if (nowMs >= this.windowEndMs) this.open(nowMs)
    const { counts, limit } = this.buckets[name]
    const key = callerKey(address)
    const count = counts.get(key) ?? 0
    if (count === 0 && counts.size >= this.maxCallers) return limit
    if (count < limit) {
      counts.set(key, count + 1)
      return limit - count - 1
    }
    return this.holdsFor(address) ? -1 : 0
  }

  private open(nowMs: number): void {
    const end = (Math.floor(nowMs / 1000 / WINDOW_SECONDS) + 1) * WINDOW_SECONDS
    this.windowEndMs = end * 1000
    this.resetText = String(end)
    for (const bucket of Object.values(this.buckets)) {
      bucket.counts.clear()
      bucket.lines = `\r\nx-ratelimit-limit: ${bucket.limit}\r\nx-ratelimit-reset: ${end}`
    }
  }
}
