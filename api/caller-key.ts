/** The API key that a request came with, and what it has used of it. */
import { Context } from "effect"
import type { ApiKey } from "../engine/keys/key-book.ts"
import type { BucketName } from "../src/rules/plans.ts"

/** The key of the present request; null where it came without one. */
export const CallerKey = Context.Reference<ApiKey | null>("swaptape/api/CallerKey", {
  defaultValue: () => null
})

/** What every 401 must have (RFC 9110, 11.6.1). */
export const API_KEY_CHALLENGE = {
  "www-authenticate": 'ApiKey realm="swaptape", header="X-API-Key"'
}

/** What a key has used of a window. */
export interface WindowUse {
  /** Unix seconds, as the next */
  readonly since: number
  readonly reset: number
  readonly buckets: {
    readonly [bucket in BucketName]: {
      readonly limit: number
      readonly used: number
      readonly remaining: number
    }
  }
}

export class KeyUse extends Context.Service<KeyUse, { readonly of: (key: ApiKey) => WindowUse }>()(
  "swaptape/api/KeyUse"
) {}
