/** Where a cut answer goes on: all that the next call needs, so nothing is kept in between. */
import { createHash } from "node:crypto"
import { Option, Schema } from "effect"

/** Cursors of routes begin otherwise. */
const PREFIX = "cut."

const Cursor = Schema.Struct({
  /** of the call, which must be the same */
  call: Schema.String,
  /** position of the log and digest of the answer that the rows shown before are of */
  seq: Schema.NullOr(Schema.Int),
  digest: Schema.String,
  /** rows shown of each list that was cut, where `next` is not null of those behind it */
  shown: Schema.Record(Schema.String, Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  /** where the route goes on by itself: its parameters, of which list, and how many rows before */
  next: Schema.NullOr(
    Schema.Struct({
      ...{ before: Schema.String, limit: Schema.Int },
      ...{ path: Schema.String, from: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)) }
    })
  )
})
export type Cursor = typeof Cursor.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Cursor))

/** Whether a value of `cursor` is of an answer that was cut here, and not a route's own. */
export const isCutCursor = (text: string): boolean => text.startsWith(PREFIX)

export const writeCursor = (cursor: Cursor): string =>
  PREFIX + Buffer.from(JSON.stringify(cursor)).toString("base64url")

/** Returns the cursor in a text; null where it is none. */
export const readCursor = (text: string): Cursor | null =>
  Option.getOrNull(decode(Buffer.from(text.slice(PREFIX.length), "base64url").toString()))

/** A short name of a call by its URL. */
export const callDigest = (url: string): string =>
  createHash("sha1").update(url).digest("base64url").slice(0, 8)
