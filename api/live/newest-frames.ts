/**
 * The newest frames of a topic, for readers that want the present rather than the history: of each
 * token only the newest frame is kept until every reader has it. `new` frames, which announce a
 * token, and `undo` frames are never replaced.
 */

/** The fields of a lane's frame that are looked at. */
interface Identity {
  readonly type: string
  readonly token?: string | null
}

interface Kept {
  readonly body: string
  readonly seq: number
  /** how many frames had come when this one came, itself included */
  readonly version: number
  /** told by itself, whatever is newer */
  readonly isNotice: boolean
}

/** What a reader has not had. */
export interface Missed {
  /** frames that announce a token or undo, as the lane made them */
  readonly notices: ReadonlyArray<string>
  /** the newest of each token, as the lane made them */
  readonly bodies: ReadonlyArray<string>
  /** newest log position among them */
  readonly seq: number
  /** frames replaced by newer ones before they were sent */
  readonly skipped: number
}

export class NewestFrames {
  private readonly kept = new Map<string, Kept>()
  /** frames that came so far */
  version = 0
  /** newest log position among them */
  seq = 0

  /** Takes a frame of the lane. */
  add(body: string, seq: number): void {
    this.version++
    this.seq = Math.max(this.seq, seq)
    // The lane's own JSON, unchecked: a past of thousands of frames is read here in one turn.
    const { type, token } = JSON.parse(body) as Identity
    const isNotice = type === "new" || type === "undo"
    const key = isNotice ? `notice ${this.version}` : (token ?? "")
    // Deleted first, so that the map stays in the order of arrival.
    this.kept.delete(key)
    this.kept.set(key, { body, seq, version: this.version, isNotice })
  }

  /** What came after a version. */
  since(version: number): Missed {
    const missed = [...this.kept.values()].filter(kept => kept.version > version)
    return {
      notices: missed.filter(({ isNotice }) => isNotice).map(({ body }) => body),
      bodies: missed.filter(({ isNotice }) => !isNotice).map(({ body }) => body),
      seq: missed.reduce((newest, { seq }) => Math.max(newest, seq), 0),
      skipped: this.version - version - missed.length
    }
  }

  /** Forgets what every reader has: frames up to this version. */
  forget(version: number): void {
    for (const [key, kept] of this.kept) if (kept.version <= version) this.kept.delete(key)
  }
}
