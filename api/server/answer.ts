/**
 * An answer as it goes over the wire: status line, headers and bytes, encoded once. What differs
 * from caller to caller (rate limit, 304, HEAD) is decided when it is written.
 */
import type { UwsResponse } from "../../src/platform/uws.ts"
import { acceptedCoding, type Coding, type Encodings } from "./encodings.ts"

type HeaderLine = readonly [name: string, value: string]

/** What an answer is made of. */
export interface AnswerParts {
  /** code and reason, as in the status line */
  readonly status: string
  /** without content-type, content-length and the rate limit's */
  readonly headers: ReadonlyArray<HeaderLine>
  readonly contentType: string | null
  readonly etag: string | null
  readonly body: Uint8Array
  /** compressed forms of the body; null where it is worth none */
  readonly encodings: Encodings | null
}

/** An answer with its header lines as they are written. */
export interface Answer extends AnswerParts {
  readonly lines: HeaderLines
}

/** In which form an answer is written: with its body or not, plain or in a coding. */
type Form = Coding | "plain" | "known" | "codedKnown"

/**
 * The header lines of an answer as one text, for each form it is written in: uWebSockets writes a
 * header's value as it is, and a call costs as much as all the bytes of a line.
 */
class HeaderLines {
  private readonly parts: AnswerParts
  private readonly made: { [form in Form]?: string } = {}

  constructor(parts: AnswerParts) {
    this.parts = parts
  }

  /** Returns the lines of an answer with its body, in a coding or without one. */
  whole(coding: Coding | null): string {
    const form = coding ?? "plain"
    const known = this.made[form]
    if (known !== undefined) return known
    const { contentType } = this.parts
    const typed = contentType === null ? [] : [["content-type", contentType] as const]
    const coded = coding === null ? [] : [["content-encoding", coding] as const]
    return this.make(form, [...typed, ...coded], coding !== null)
  }

  /** Returns the lines of an answer that the reader has, so that no body follows. */
  bodiless(isCoded: boolean): string {
    const form = isCoded ? "codedKnown" : "known"
    return this.made[form] ?? this.make(form, [], isCoded)
  }

  /** The ETag is weak for the compressed form, as one stands for both. */
  private make(form: Form, own: ReadonlyArray<HeaderLine>, isWeak: boolean): string {
    const { headers, etag } = this.parts
    const tag = etag === null ? [] : [["etag", isWeak ? `W/${etag}` : etag] as const]
    const all = [...headers, ...own, ...tag]
    const text = all.map(([name, value]) => `\r\n${name}: ${value}`).join("")
    this.made[form] = text
    return text
  }
}

/** Makes an answer of its parts; throws where a header would begin a line of its own. */
export const answerOf = (parts: AnswerParts): Answer => {
  for (const [name, value] of [...parts.headers, ["content-type", parts.contentType ?? ""]]) {
    if (/[\r\n]/.test(`${name}${value}`)) throw new Error(`the header ${name} has a line break`)
  }
  return { ...parts, lines: new HeaderLines(parts) }
}

/** What of a request decides how an answer is written. */
export interface Asked {
  readonly head: boolean
  /** the header, empty where absent */
  readonly ifNoneMatch: string
  /** the header, empty where absent */
  readonly acceptEncoding: string
  /** whether the connection ends with the answer */
  readonly last: boolean
}

const REASONS: { readonly [status: number]: string } = {
  200: "OK",
  202: "Accepted",
  204: "No Content",
  301: "Moved Permanently",
  302: "Found",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  426: "Upgrade Required",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable"
}

/** Code and reason, e.g. `404 Not Found`. */
export const statusLine = (status: number): string => `${status} ${REASONS[status] ?? "Status"}`

const NO_CONTENT = statusLine(204)
const NOT_MODIFIED = statusLine(304)

const matches = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch === etag ||
  ifNoneMatch === "*" ||
  ifNoneMatch.split(",").some(each => each.trim().replace(/^W\//, "") === etag)

const codingOf = ({ encodings }: Answer, { acceptEncoding }: Asked): Coding | null =>
  encodings === null ? null : acceptedCoding(acceptEncoding, encodings.codings)

/** The coding in which an answer is wanted, but not there yet; null where it can be written. */
export const missingCoding = (answer: Answer, asked: Asked): Coding | null => {
  const coding = codingOf(answer, asked)
  return coding === null || answer.encodings?.get(coding) !== undefined ? null : coding
}

/** Bytes of a body from which on the reader's pace counts. */
const LARGE = 4096

/**
 * Ends with a body, no faster than its reader takes it: what he does not take waits in the body
 * itself, which all its readers share, and not in a copy for each. Until it is taken the response
 * is open, and uWebSockets closes a connection that asks for more meanwhile.
 */
const endWith = (response: UwsResponse, body: Uint8Array, last: boolean): void => {
  if (last || body.byteLength < LARGE) {
    response.end(body, last)
    return
  }
  const total = body.byteLength
  const [, isDone] = response.tryEnd(body, total)
  if (isDone) return
  response.onWritable(offset => response.tryEnd(body.subarray(offset), total)[0])
  response.onAborted(() => undefined)
}

/**
 * Writes an answer, compressed where that is wanted and there. `rateLines` is what the limiter says
 * of it (`leftLines`). Returns the bytes of the body that goes out, null where the reader had it.
 * uWebSockets itself writes the content-length of a body; a second one would break clients.
 */
export const writeAnswer = (
  response: UwsResponse,
  answer: Answer,
  asked: Asked,
  rateLines: string
): number | null => {
  const { etag } = answer
  const { head, ifNoneMatch, last } = asked
  // A connection that ends can do so only with a body, which a 304 must not have.
  const known = etag !== null && ifNoneMatch !== "" && !last && matches(ifNoneMatch, etag)
  response.writeStatus(known ? NOT_MODIFIED : answer.status)
  const coding = codingOf(answer, asked)
  const compressed = coding === null ? null : (answer.encodings?.get(coding) ?? null)
  if (known) {
    const lines = answer.lines.bodiless(compressed !== null)
    response.writeHeader("x-ratelimit-remaining", `${rateLines}${lines}`)
    response.endWithoutBody()
    return null
  }
  const lines = answer.lines.whole(compressed === null ? null : coding)
  response.writeHeader("x-ratelimit-remaining", `${rateLines}${lines}`)
  const body = compressed ?? answer.body
  if (answer.status === NO_CONTENT && !last) {
    response.endWithoutBody()
    return 0
  }
  if (!head) endWith(response, body, last)
  else if (last) response.endWithoutBody(0, true)
  else {
    // `endWithoutBody(length)` waits for a body that never comes; without a length it is done.
    response.writeHeader("content-length", String(body.byteLength))
    response.endWithoutBody()
  }
  return head ? 0 : body.byteLength
}
