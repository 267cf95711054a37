/**
 * What the server itself looks at of a request's headers, read in one pass over all of them: that
 * `content-length` stands there twice is seen in no other way.
 */
import type { RequestRead } from "./kept-request.ts"

/** The header of an API key, as requests have it. */
export const API_KEY = "x-api-key"

/** Bytes of a body that are let through unread, so that its connection may stay open. */
const IGNORED_BODY_BYTES = 64 * 1024

/**
 * What is known of a request's body before it comes: none or a `short` one, one that is `long`,
 * one of unknown length (`chunked`), or one whose end two readers could see at different places.
 */
export type BodyKind = "short" | "long" | "chunked" | "ambiguous"

export interface RequestHeaders {
  /** empty where absent, as the next */
  readonly ifNoneMatch: string
  readonly acceptEncoding: string
  /** all lines of the header in which proxies tell whose request it is, joined by commas */
  readonly forwarded: string
  /** null where absent; of several lines all, which are no key */
  readonly apiKey: string | null
  readonly body: BodyKind
}

/** From all lines of `content-length` and of `transfer-encoding`. */
const kindOf = (lengths: ReadonlyArray<string>, codings: ReadonlyArray<string>): BodyKind => {
  const [line] = [...lengths, ...codings]
  if (line === undefined) return "short"
  if (lengths.length + codings.length > 1) return "ambiguous"
  if (line === "chunked" && codings.length === 1) return "chunked"
  if (codings.length === 1 || !/^[0-9]+$/.test(line)) return "ambiguous"
  return Number(line) > IGNORED_BODY_BYTES ? "long" : "short"
}

/** Reads the headers while the request lives; `proxyHeader` is null where none is believed. */
export const readHeaders = (request: RequestRead, proxyHeader: string | null): RequestHeaders => {
  let ifNoneMatch = ""
  let acceptEncoding = ""
  let forwarded = ""
  let apiKey: string | null = null
  let lengths: Array<string> | undefined
  let codings: Array<string> | undefined
  request.forEach((name, value) => {
    if (name === "if-none-match") ifNoneMatch = value
    else if (name === "accept-encoding") acceptEncoding = value
    else if (name === "content-length") lengths = [...(lengths ?? []), value]
    else if (name === "transfer-encoding") codings = [...(codings ?? []), value]
    else if (name === API_KEY) apiKey = apiKey === null ? value : `${apiKey},${value}`
    else if (name === proxyHeader) forwarded = forwarded === "" ? value : `${forwarded},${value}`
  })
  const isBare = lengths === undefined && codings === undefined
  return {
    ifNoneMatch,
    acceptEncoding,
    forwarded,
    apiKey,
    body: isBare ? "short" : kindOf(lengths ?? [], codings ?? [])
  }
}
