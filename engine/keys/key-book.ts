/** The API keys there are, folded from their events, and whose key a text is. */
import { Result } from "effect"
import { ANONYMOUS, BUCKETS, type Limits, PLANS } from "../../src/rules/plans.ts"
import type { KeyEvent } from "./key-event.ts"
import { isSecretOf, readKeyText, type SecretDigest } from "./key-text.ts"

/** A key, without anything that opens it. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly limits: Limits
  /** Unix milliseconds, as the next */
  readonly createdAtMs: number
  /** null where its secret is the first */
  readonly rotatedAtMs: number | null
  readonly revokedAtMs: number | null
}

/** A secret of a key. One that was replaced or revoked ends; whoever holds it sees that here. */
export interface Credential extends SecretDigest {
  readonly key: ApiKey
  /** Unix milliseconds until which it opens the key; 0: it does not any more */
  readonly untilMs: number
}

interface Entry {
  key: ApiKey
  /** the newest last */
  readonly credentials: Array<{ -readonly [field in keyof Credential]: Credential[field] }>
}

/** Why a text opens no key, in words for who sent it. */
export interface KeyRefusal {
  readonly message: string
}

const NOT_A_KEY =
  "X-API-Key has not the form of a key (st_, 12 hex digits, _, 64 hex digits): check that it was copied whole, or leave the header out"
const UNKNOWN =
  "X-API-Key is not known here: check it, ask who runs the service for one, or leave the header out"

/** The limits that an event tells; of a bucket that it does not know, those of its plan. */
const limitsIn = (plan: string, told: { readonly [bucket: string]: number }): Limits =>
  Object.fromEntries(
    BUCKETS.map(bucket => [bucket, told[bucket] ?? (PLANS[plan] ?? ANONYMOUS)[bucket]])
  ) as Limits

const isoTime = (ms: number): string => new Date(ms).toISOString()

export class KeyBook {
  private readonly entries = new Map<string, Entry>()

  /** All keys in the order of their making, revoked ones too. */
  get keys(): ReadonlyArray<ApiKey> {
    return [...this.entries.values()].map(({ key }) => key)
  }

  /** Forgets all keys. */
  clear(): void {
    this.entries.clear()
  }

  /** Folds an event; one that was folded before changes nothing. */
  apply(event: KeyEvent): void {
    if (event.kind === "KeyCreated") {
      this.create(event)
      return
    }
    const entry = this.entries.get(event.id)
    if (entry === undefined || entry.key.revokedAtMs !== null) return
    if (event.kind === "KeyRevoked") {
      this.tell(entry, { ...entry.key, revokedAtMs: event.atMs })
      for (const credential of entry.credentials) credential.untilMs = 0
      return
    }
    const { salt, digest, atMs, formerUntilMs } = event
    if (entry.credentials.some(known => known.digest === digest)) return
    for (const former of entry.credentials) {
      former.untilMs = Math.min(former.untilMs, formerUntilMs ?? 0)
    }
    const key = { ...entry.key, rotatedAtMs: atMs }
    entry.credentials.push({ key, salt, digest, untilMs: Number.POSITIVE_INFINITY })
    this.tell(entry, key)
  }

  /** The credential whose text this is, where it opens its key at `nowMs` (Unix milliseconds). */
  check(text: string, nowMs: number): Result.Result<Credential, KeyRefusal> {
    const parts = readKeyText(text)
    if (parts === null) return Result.fail({ message: NOT_A_KEY })
    const entry = this.entries.get(parts.id)
    const credential = entry?.credentials.findLast(each => isSecretOf(each, parts.secret))
    if (entry === undefined || credential === undefined) return Result.fail({ message: UNKNOWN })
    if (nowMs < credential.untilMs) return Result.succeed(credential)
    const { id, revokedAtMs, rotatedAtMs } = entry.key
    const message =
      revokedAtMs === null
        ? `the secret of API key ${id} was replaced at ${isoTime(rotatedAtMs ?? 0)}: use the new one`
        : `API key ${id} was revoked at ${isoTime(revokedAtMs)}: ask who runs the service for another`
    return Result.fail({ message })
  }

  private create(event: Extract<KeyEvent, { readonly kind: "KeyCreated" }>): void {
    const { id, name, plan, salt, digest, atMs } = event
    if (this.entries.has(id)) return
    const times = { createdAtMs: atMs, rotatedAtMs: null, revokedAtMs: null }
    const key: ApiKey = { id, name, plan, limits: limitsIn(plan, event.limits), ...times }
    const untilMs = Number.POSITIVE_INFINITY
    this.entries.set(id, { key, credentials: [{ key, salt, digest, untilMs }] })
  }

  /** Whoever holds a credential of the key sees what it has become. */
  private tell(entry: Entry, key: ApiKey): void {
    entry.key = key
    for (const credential of entry.credentials) credential.key = key
  }
}
