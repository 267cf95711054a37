/**
 * Reads a sample of old blocks again, once they are final, and compares them with what was given
 * out: whether the block is the chain's, whether it held the transactions it has now, and of some
 * whether another endpoint tells the same of what is in them, which is fifty times the text.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { BlockContent, SolanaBlock } from "../../solana/block.ts"
import { type ContentDigest, contentDigest } from "../../solana/content-digest.ts"
import type { StatusBoard } from "../../status-board.ts"
import type { NodeError, Nodes } from "./nodes.ts"
import { differ } from "./told-apart.ts"
import type { ToldBlock } from "./told-block.ts"
import { show, warn } from "./warning.ts"

/** One block in so many is noted. */
const SAMPLE = 8
/** Of one in so many that are read again another endpoint is asked for all that is in them. */
const WHOLE = 4
/** Notes kept: the oldest are forgotten. */
const KEPT = 4096

/** What is compared of a block; null what is not told of it. */
interface Telling {
  readonly hash: string
  readonly signatures: string
  readonly content: ContentDigest["content"] | null
  readonly logs: ContentDigest["logs"]
}

interface Note extends Telling {
  readonly slot: number
  /** the address that told it: another one is asked first */
  readonly by: string
}

export interface AuditState {
  /** the slot that was read again last; null before the first */
  readonly cursor: number | null
  readonly checked: number
  readonly different: number
}

const UNTOLD = { content: null, logs: null }

const tellingOf = (block: BlockContent, hasTransactions: boolean): Telling => ({
  hash: block.hash,
  signatures: createHash("sha256").update(block.signatures.join()).digest("base64"),
  ...(hasTransactions ? contentDigest(block) : UNTOLD)
})

const tellingOfAnswer = ({ block }: ToldBlock): Telling => tellingOf(block, block.hasTransactions)

/**
 * What a block was told to be that another telling of it does not say, in words; null where the two
 * agree in all that both tell.
 */
const changeOf = (was: Telling, now: Telling): string | null => {
  if (was.hash !== now.hash) return `was another block (${was.hash})`
  if (was.signatures !== now.signatures) return "held other transactions"
  if (differ(was.content, now.content)) {
    return "held transactions that failed otherwise, or with other balances or instructions"
  }
  return differ(was.logs, now.logs) ? "held transactions that logged otherwise" : null
}

/**
 * Asks a third endpoint who is right where the second tells a block otherwise than it was noted.
 * Returns the place of the one of the two that it contradicts, where it bears out the other; null
 * where it contradicts both, or neither, as when its logs are cut off.
 */
const wrongOf = (nodes: Nodes, note: Note, second: ToldBlock) =>
  Effect.gen(function* () {
    const { slot, by } = note
    const label = nodes.labelOf(second.by)
    const third = yield* nodes.elsewhere(new Set([by, label]), slot, "full", "finalized")
    if (third === null) return null
    const now = tellingOfAnswer(third)
    const isLike = (one: Telling) => changeOf(one, now) === null
    const [isLikeFirst, isLikeSecond] = [isLike(note), isLike(tellingOfAnswer(second))]
    if (isLikeFirst === isLikeSecond) return null
    return isLikeFirst ? second.by : nodes.placeOf(by)
  })

export class Audit {
  private notes: Array<Note> = []
  private seen = 0
  private state: AuditState = { cursor: null, checked: 0, different: 0 }

  readonly read = (): AuditState => this.state

  /** A block was given out. Of a disputed one it is known that it may change. */
  saw(block: SolanaBlock, by: string): void {
    if (block.grade === "unproven" || this.seen++ % SAMPLE !== 0) return
    this.notes.push({ slot: block.slot, by, ...tellingOf(block, true) })
    if (this.notes.length > KEPT) this.notes.shift()
  }

  /** What came after a slot was taken back. */
  cutAfter(slot: number): void {
    this.notes = this.notes.filter(note => note.slot <= slot)
  }

  /**
   * The next block to read again, of those up to a final slot; the first again after the last. What
   * has lost its proof, or was read again since, is no longer what the note says.
   */
  private next({ tellers }: Nodes, final: number): Note | null {
    const old = this.notes
      .filter(({ slot, by }) => slot <= final && tellers.stands(slot, by))
      .sort((a, b) => a.slot - b.slot)
    return old.find(({ slot }) => slot > (this.state.cursor ?? -1)) ?? old[0] ?? null
  }

  /** Reads one block again. What no endpoint keeps any more is passed over. */
  one(
    nodes: Nodes,
    final: number,
    status: StatusBoard<"solana-rpc">
  ): Effect.Effect<void, NodeError> {
    const note = this.next(nodes, final)
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
      const change = changeOf(note, tellingOfAnswer(told))
      const wrong = change === null ? null : yield* wrongOf(nodes, note, told)
      const isSame = change === null || wrong === told.by
      this.state = {
        ...{ cursor: slot, checked: checked + 1 },
        different: isSame ? different : different + 1
      }
      if (isSame) {
        if (wrong === null) return
        const words = `slot ${slot} is told as two others do not tell it`
        return yield* nodes.belie(wrong, `${nodes.labelOf(wrong)}: ${words}`)
      }
      const label = nodes.labelOf(told.by)
      const now = label === by ? "" : `; ${label} tells it otherwise`
      const words = `slot ${slot} ${change} when it was read first, by ${by}${now}`
      if (wrong === null) return yield* warn(status, words, slot)
      yield* show(status, words, slot)
      yield* nodes.belie(wrong, `${by}: ${words}`)
    })
  }
}
