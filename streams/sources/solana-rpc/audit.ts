/**
 * Reads a sample of old blocks again, once they are final, and compares them with what was given
 * out: whether the block is the chain's, and whether it held the transactions it has now.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { SolanaBlock } from "../../solana/block.ts"
import type { StatusBoard } from "../../status-board.ts"
import type { NodeError, Nodes } from "./nodes.ts"
import { warn } from "./warning.ts"

/** One block in so many is noted. */
const SAMPLE = 8
/** Notes kept: the oldest are forgotten. */
const KEPT = 4096
interface Note {
  readonly slot: number
  readonly hash: string
  readonly digest: string
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

export class Audit {
  private notes: Array<Note> = []
  private seen = 0
  private state: AuditState = { cursor: null, checked: 0, different: 0 }

  readonly read = (): AuditState => this.state

  saw({ slot, hash, signatures }: SolanaBlock, by: string): void {
    if (this.seen++ % SAMPLE !== 0) return
    this.notes.push({ slot, hash, digest: digestOf(signatures), by })
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
    const { slot, hash, digest, by } = note
    return Effect.gen({ self: this }, function* () {
      const other = yield* nodes.elsewhere(new Set([by]), slot, "signatures", "finalized")
      const told = other ?? (yield* nodes.block(slot, "signatures", "finalized"))
      const { checked, different } = this.state
      if (told._tag === "Untold") {
        this.state = { ...this.state, cursor: slot }
        return
      }
      const isChains = told.block.hash === hash
      const isSame = isChains && digestOf(told.block.signatures) === digest
      this.state = {
        ...{ cursor: slot, checked: checked + 1 },
        different: isSame ? different : different + 1
      }
      if (isSame) return
      const what = isChains ? "held other transactions" : `was another block (${hash})`
      const words = `slot ${slot} ${what} when it was read first, by ${by}`
      yield* warn(status, words, slot)
    })
  }
}
