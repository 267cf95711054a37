/**
 * Requests a minute by bucket: of a caller without a key, who is counted by address (spec, part 8),
 * and of each plan that a key may have, which is counted by key.
 */

export const BUCKETS = [
  "default",
  "data",
  "logos",
  "bridge",
  "health",
  "metrics",
  "preflight",
  "upgrades"
] as const

export type BucketName = (typeof BUCKETS)[number]

export type Limits = { readonly [bucket in BucketName]: number }

/** What watches the service is not kept out by what reads data. */
export const ANONYMOUS: Limits = {
  default: 60,
  data: 300,
  logos: 3000,
  bridge: 240,
  health: 300,
  metrics: 60,
  /** questions of browsers whether they may read from another origin; they carry no key */
  preflight: 600,
  /** of live sockets, which are under no other limit a minute */
  upgrades: 120
}

const times = (factor: number): Limits =>
  Object.fromEntries(BUCKETS.map(bucket => [bucket, ANONYMOUS[bucket] * factor])) as Limits

/** By the name that `npm run keys -- create --plan` takes. */
export const PLANS: { readonly [name: string]: Limits } = {
  basic: times(10),
  pro: times(100)
}

/** Names of the plans, the one that is taken unless told first. */
export const PLAN_NAMES: ReadonlyArray<string> = Object.keys(PLANS)
