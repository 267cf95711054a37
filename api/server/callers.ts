/**
 * Whose request it is: an address, and a key where one came with it. A key that opens nothing is
 * refused (401) and not passed over: whoever mistyped it would else find out by its limits.
 */
import { Result } from "effect"
import type { ApiKey, Credential, KeyRefusal } from "../../engine/keys/key-book.ts"
import type { UwsResponse } from "../../src/platform/uws.ts"
import type { ClientAddresses } from "./client-address.ts"
import type { RequestHeaders } from "./request-headers.ts"

/** The keys there are; those of `KeyBook`. */
export interface KeyCheck {
  readonly check: (text: string, nowMs: number) => Result.Result<Credential, KeyRefusal>
}

export interface Caller {
  readonly address: ArrayBuffer
  /** null where there is none, or none that opens anything */
  readonly credential: Credential | null
  readonly key: ApiKey | null
  /** why its key opens nothing; null where that is no matter */
  readonly refused: string | null
}

/** The answer to a key that opens nothing. */
export const wrongKey = (message: string) => ({ status: 401, code: "INVALID_API_KEY", message })

export class Callers {
  private readonly clients: ClientAddresses
  private readonly keys: KeyCheck
  private readonly nowMs: () => number

  constructor(clients: ClientAddresses, keys: KeyCheck, nowMs: () => number = Date.now) {
    this.clients = clients
    this.keys = keys
    this.nowMs = nowMs
  }

  /** The header in which proxies tell of their clients; null where none is believed. */
  get proxyHeader(): string | null {
    return this.clients.header
  }

  of(response: UwsResponse, { forwarded, apiKey }: RequestHeaders): Caller {
    const address = this.clients.of(response, forwarded)
    if (apiKey === null) return { address, credential: null, key: null, refused: null }
    return Result.match(this.keys.check(apiKey, this.nowMs()), {
      onSuccess: credential => ({ address, credential, key: credential.key, refused: null }),
      onFailure: ({ message }) => ({ address, credential: null, key: null, refused: message })
    })
  }
}
