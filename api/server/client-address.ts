/**
 * Whose request it is. Behind proxies the connection is theirs, and a header tells where each had
 * the request from, the nearest last. Only what trusted proxies wrote is believed: the header is
 * read from its end, as long as whoever wrote that part is trusted.
 */
import type { ProxyTrust } from "../../src/platform/api-config.ts"
import { addressBytes, liesIn, wideAddress } from "../../src/platform/network-address.ts"
import type { UwsResponse } from "../../src/platform/uws.ts"

/** Without a port, brackets or quotes, as both headers may have them. */
const bare = (node: string): string => {
  const text = node.trim().replace(/^"(.*)"$/, "$1")
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1]
  if (bracketed !== undefined) return bracketed
  return /^([0-9.]+):\d+$/.exec(text)?.[1] ?? text
}

/** The `for=` of one element of `Forwarded`; empty where it has none. */
const forOf = (element: string): string =>
  /(?:^|;)\s*for\s*=\s*("[^"]*"|[^;,\s]*)/i.exec(element)?.[1] ?? ""

/** Elements looked at: whoever has more proxies than this trusts a list of them. */
const MOST = 32

export class ClientAddresses {
  private readonly trust: ProxyTrust | null

  constructor(trust: ProxyTrust | null) {
    this.trust = trust
  }

  /** The header that proxies write; null where none is read. */
  get header(): string | null {
    return this.trust?.header ?? null
  }

  /** The client's address, 4 or 16 bytes. `forwarded`: all lines of the header, with commas. */
  of(response: UwsResponse, forwarded: string): ArrayBuffer {
    const peer = response.getRemoteAddress()
    const { trust } = this
    if (trust === null || forwarded === "") return peer
    const elements = forwarded.split(",").slice(-MOST)
    let client = wideAddress(peer)
    for (let depth = 0; trust.trusts(client, depth) && elements.length > 0; depth++) {
      const element = elements.pop() ?? ""
      const told = addressBytes(bare(trust.header === "forwarded" ? forOf(element) : element))
      if (told === null) break
      client = told
    }
    return client.slice().buffer as ArrayBuffer
  }
}

/** An address as text, for what is told of it. */
export const addressText = (address: ArrayBuffer): string => {
  const bytes = wideAddress(address)
  const isV4 = liesIn(bytes, V4)
  if (isV4) return bytes.subarray(12).join(".")
  return Buffer.from(bytes)
    .toString("hex")
    .replace(/(.{4})(?=.)/g, "$1:")
}

const V4 = { address: wideAddress(new ArrayBuffer(4)), bits: 96 }
