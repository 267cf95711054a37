/**
 * Compressed forms of a body: each made once, on a thread of the system's, when it is first asked
 * for, and kept beside the plain bytes. A small body is worth none.
 */
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

export type Coding = "br" | "gzip"

/** Below it the bytes saved are fewer than a packet has. */
const LEAST_BYTES = 2048
/** A compressed form is kept only where it is that much smaller. */
const WORTH = 0.9
const GZIP_LEVEL = 5
const BROTLI_QUALITY = 5

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

const compress = (coding: Coding, body: Uint8Array): Promise<Uint8Array> =>
  coding === "gzip"
    ? gzipped(body, { level: GZIP_LEVEL })
    : brotlied(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength
        }
      })

export class Encodings {
  /** those it may have, the best first */
  readonly codings: ReadonlyArray<Coding>
  private readonly body: Uint8Array
  private readonly made = new Map<Coding, Uint8Array | null>()
  private readonly making = new Map<Coding, Promise<number>>()

  constructor(body: Uint8Array, codings: ReadonlyArray<Coding>) {
    this.body = body
    this.codings = codings
  }

  /** The compressed body; null where it is not worth it, undefined while it is not made. */
  get(coding: Coding): Uint8Array | null | undefined {
    return this.made.get(coding)
  }

  /** Makes a form, once however many ask; the bytes that it holds more than before. */
  make(coding: Coding): Promise<number> {
    const begun = this.making.get(coding)
    if (begun !== undefined) return begun.then(() => 0)
    const { body } = this
    const making = compress(coding, body).then(
      bytes => {
        const isWorth = bytes.byteLength < body.byteLength * WORTH
        // a copy of its own: what zlib answers may be a part of something larger
        this.made.set(coding, isWorth ? new Uint8Array(bytes) : null)
        return isWorth ? bytes.byteLength : 0
      },
      () => {
        this.made.set(coding, null)
        return 0
      }
    )
    this.making.set(coding, making)
    return making
  }
}

const TEXTS = /^(text\/|application\/json|image\/svg)/
const lasting = new WeakMap<Uint8Array, Encodings>()

/**
 * The compressed forms of an answer's body; null where it is worth none. What lasts is answered
 * more often than made, so it may take the slower coding, and they outlive the answer.
 */
export const encodingsOf = (
  body: Uint8Array,
  contentType: string | null,
  isLasting: boolean
): Encodings | null => {
  if (body.byteLength < LEAST_BYTES || contentType === null || !TEXTS.test(contentType)) return null
  if (!isLasting) return new Encodings(body, ["gzip"])
  const known = lasting.get(body) ?? new Encodings(body, ["br", "gzip"])
  lasting.set(body, known)
  return known
}

/** Codings that a header accepts, `*` among them; few headers are in use: they are remembered. */
const accepted = new Map<string, ReadonlySet<string>>()
const MOST_HEADERS = 256

const parse = (header: string): ReadonlySet<string> => {
  const parts = header.split(",").map(part => part.trim().toLowerCase())
  const isRefused = (part: string): boolean => /;\s*q=0(\.0*)?$/.test(part)
  return new Set(parts.filter(part => !isRefused(part)).map(part => part.split(";")[0] ?? ""))
}

/** The best of the codings that an `Accept-Encoding` header allows; null for the plain body. */
export const acceptedCoding = (header: string, codings: ReadonlyArray<Coding>): Coding | null => {
  if (header === "") return null
  let names = accepted.get(header)
  if (names === undefined) {
    names = parse(header)
    if (accepted.size >= MOST_HEADERS) accepted.clear()
    accepted.set(header, names)
  }
  for (const coding of codings) if (names.has(coding)) return coding
  return null
}
