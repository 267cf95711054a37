/**
 * Newest prices of a topic, for readers that want the present rather than the history: of each
 * token only the newest frame is kept until every reader has it. `new` frames, which announce a
 * token, and `undo` frames are never replaced.
 */
import { Option, Schema } from "effect"

/** The fields of a lane's frame that this board looks at. */
const Identity = Schema.fromJsonString(
  Schema.Struct({ type: Schema.String, token: Schema.optionalKey(Schema.NullOr(Schema.String)) })
)
const identityOf = Schema.decodeUnknownOption(Identity)

interface Kept {
  readonly body: string
  readonly seq: number
  /** how many frames had come when this one came, itself included */
  readonly version: number
  /** not a price: sent by itself */
  readonly isNotice: boolean
}

/** What a reader has not had. */
export interface Missed {
  /** frames that announce a token or undo, as the lane made them */
  readonly notices: ReadonlyArray<string>
  /** newest price of each token, as the lane made them */
  readonly prices: ReadonlyArray<string>
  /** newest log position among them */
  readonly seq: number
  /** frames replaced by newer ones before they were sent */
  readonly skipped: number
}

export class PriceBoard {
  private readonly kept = new Map<string, Kept>()
  /** frames that came so far */
  version = 0

  /** Takes a frame of the lane. */
  add(body: string, seq: number): void {
    this.version++
    const identity = Option.getOrUndefined(identityOf(body))
    const isNotice = identity?.type === "new" || identity?.type === "undo"
    const key = isNotice ? `notice ${this.version}` : (identity?.token ?? "")
    // Deleted first, so that the map stays in the order of arrival.
    this.kept.delete(key)
    this.kept.set(key, { body, seq, version: this.version, isNotice })
  }

  /** What came after a version. */
  since(version: number): Missed {
    const missed = [...this.kept.values()].filter(kept => kept.version > version)
    return {
      notices: missed.filter(({ isNotice }) => isNotice).map(({ body }) => body),
      prices: missed.filter(({ isNotice }) => !isNotice).map(({ body }) => body),
      seq: missed.reduce((newest, { seq }) => Math.max(newest, seq), 0),
      skipped: this.version - version - missed.length
    }
  }

  /** Forgets what every reader has: frames up to this version. */
  forget(version: number): void {
    for (const [key, kept] of this.kept) if (kept.version <= version) this.kept.delete(key)
  }
}

/**
 * Frames for what a reader missed: notices as they are; then for one token its newest price
 * with `skipped`, for a whole chain one frame with all newest prices as `items`.
 */
export const priceFrames = (
  missed: Missed,
  topic: { readonly chain: number; readonly token: string | null },
  at: number
): ReadonlyArray<string> => {
  const { notices, prices, seq, skipped } = missed
  if (prices.length === 0) return notices
  if (topic.token !== null) {
    const withCount = prices.map(body => `${body.slice(0, -1)},"skipped":${skipped}}`)
    return [...notices, ...withCount]
  }
  const head = `{"type":"prices","channel":"prices","chain":${topic.chain},"token":null`
  const items = prices.join(",")
  const tail = `"seq":${seq},"at":${at},"skipped":${skipped},"items":[${items}]}`
  return [...notices, `${head},${tail}`]
}
