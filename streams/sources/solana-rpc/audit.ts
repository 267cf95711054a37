/**
 * Reads a sample of old blocks again, once they are final, and compares them with what was given
 * out: whether the block is the chain's, whether it held the transactions it has now, and of some
 * whether another endpoint tells the same of what is in them, which is fifty times the text.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { SolanaBlock } from "../../solana/block.ts"
import { type ContentDigest, contentDigest } from "../../solana/content-digest.ts"
import type { AnsweredBlock } from "../../solana/transaction/read-answer.ts"
import type { StatusBoard } from "../../status-board.ts"
import type { NodeError, Nodes, Told } from "./nodes.ts"
import { warn } from "./warning.ts"

/** One block in so many is noted. */
const SAMPLE = 8
/** Of one in so many that are read again another endpoint is asked for all that is in them. */
const WHOLE = 4
/** Notes kept: the oldest are forgotten. */
const KEPT = 4096

interface Note {
  readonly slot: number
  readonly hash: string
  readonly digest: string
  readonly content: ContentDigest
  /** the address that told it: another one is asked first */
  readonly by: string
}

export interface AuditState {
  /** the slot that was read again last; null before the first */
  readonly cursor: number | null
  readonly checked: number
  readonly different: number
}

const digestOf = (signatures: ReadonlyArray<string>): string =>
  createHash("sha256").update(signatures.join()).digest("base64")

/** What a block is told to be now that it was not when it was noted; null where it is the same. */
const changeOf = ({ hash, digest, content }: Note, told: AnsweredBlock): string | null => {
  if (told.hash !== hash) return `was another block (${hash})`
  if (digestOf(told.signatures) !== digest) return "held other transactions"
  if (!told.hasTransactions) return null
  const now = contentDigest(told)
  if (now.content !== content.content) {
    return "held transactions that failed otherwise, or with other balances or instructions"
  }
  const isLogged = now.logs !== null && content.logs !== null
  return isLogged && now.logs !== content.logs ? "held transactions that logged otherwise" : null
}

/**
 * Asks a third endpoint who is right where the second told otherwise of what is in a block: the one
 * of the two that it contradicts is blamed. Returns whether that is the second.
 */
const isSecondWrong = (nodes: Nodes, note: Note, second: Told, change: string) =>
  Effect.gen(function* () {
    const { slot, by } = note
    const label = nodes.labelOf(second.by)
    const third = yield* nodes.elsewhere(new Set([by, label]), slot, "full", "finalized")
    if (third === null) return false
    const words = `slot ${slot} is told as two others do not tell it`
    const isLikeFirst = changeOf(note, third.block) === null
    const isLikeSecond = contentDigest(third.block).content === contentDigest(second.block).content
    if (isLikeFirst) yield* nodes.asking.convict(second.by, `${label}: ${words}`)
    else if (isLikeSecond) {
      yield* nodes.asking.convict(nodes.placeOf(by), `${by}: slot ${slot} ${change}`)
    }
    return isLikeFirst
  })

export class Audit {
  private notes: Array<Note> = []
  private seen = 0
  private state: AuditState = { cursor: null, checked: 0, different: 0 }

  readonly read = (): AuditState => this.state

  /** A block was given out. Of a disputed one it is known that it may change. */
  saw(block: SolanaBlock, by: string): void {
    if (block.grade === "unproven" || this.seen++ % SAMPLE !== 0) return
    const { slot, hash, signatures } = block
    this.notes.push({
      ...{ slot, hash, digest: digestOf(signatures), by },
      content: contentDigest(block)
    })
    if (this.notes.length > KEPT) this.notes.shift()
  }

  /** What came after a slot was taken back. */
  cutAfter(slot: number): void {
    this.notes = this.notes.filter(note => note.slot <= slot)
  }

  /** The next block to read again, of those up to a final slot; the first again after the last. */
  private next(final: number): Note | null {
    const old = this.notes.filter(({ slot }) => slot <= final).sort((a, b) => a.slot - b.slot)
    return old.find(({ slot }) => slot > (this.state.cursor ?? -1)) ?? old[0] ?? null
  }

  /** Reads one block again. What no endpoint keeps any more is passed over. */
  one(
    nodes: Nodes,
    final: number,
    status: StatusBoard<"solana-rpc">
  ): Effect.Effect<void, NodeError> {
    const note = this.next(final)
    if (note === null) return Effect.void
    const { slot, by } = note
    return Effect.gen({ self: this }, function* () {
      const details = this.state.checked % WHOLE === 0 ? "full" : "signatures"
      const other = yield* nodes.elsewhere(new Set([by]), slot, details, "finalized")
      const told = other ?? (yield* nodes.block(slot, "signatures", "finalized"))
      const { checked, different } = this.state
      if (told._tag === "Untold") {
        this.state = { ...this.state, cursor: slot }
        return
      }
      const change = changeOf(note, told.block)
      const isOther = change !== null && told.block.hasTransactions
      const isWrong = isOther && (yield* isSecondWrong(nodes, note, told, change))
      const isSame = change === null || isWrong
      this.state = {
        ...{ cursor: slot, checked: checked + 1 },
        different: isSame ? different : different + 1
      }
      if (isSame) return
      const label = nodes.labelOf(told.by)
      const now = label === by ? "" : `; ${label} tells it otherwise`
      const words = `slot ${slot} ${change} when it was read first, by ${by}${now}`
      yield* warn(status, words, slot)
    })
  }
}
