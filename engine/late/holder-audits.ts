/**
 * Audits of holders on their way to the log. The source asks the contract for balances as of the
 * newest block that it has emitted. The answer goes into a later block, without addresses that
 * moved the token in between. So a fold of the log can compare it with its own balances at that
 * place.
 */
import type { IdForm } from "../../src/domain/ids.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { eventAt } from "../../streams/event-objects.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import { withFacts } from "./gap-events.ts"
import { HolderSample } from "./holder-sample.ts"

/** The newest block that was emitted. */
interface Tip {
  readonly number: number
  readonly hash: string
}

/** An audit under way. */
export interface Audit {
  readonly token: string
  readonly at: Tip
  readonly holders: ReadonlyArray<string>
}

interface OpenAudit extends Audit {
  /** addresses that sent or got some of the token since the audited block */
  readonly moved: Set<string>
  /** raw units in the order of `holders`; null while the contract is being asked */
  balances: ReadonlyArray<bigint> | null
}

const bytesOf = (balances: ReadonlyArray<bigint>): Uint8Array =>
  Buffer.from(balances.map(balance => balance.toString(16).padStart(64, "0")).join(""), "hex")

const auditedIn = (
  block: BlockRef,
  { token, at }: Audit,
  rows: ReadonlyArray<readonly [holder: string, balance: bigint]>
): Event => ({
  ...{ kind: "HoldersAudited", block, tx: null, logIndex: 0, token },
  ...{ auditedBlock: at.number, auditedHash: at.hash },
  holders: rows.map(([holder]) => holder),
  balances: bytesOf(rows.map(([, balance]) => balance))
})

export class HolderAudits {
  private readonly form: IdForm
  private readonly samples = new Map<string, HolderSample>()
  private tip: Tip | null = null
  private open: OpenAudit | null = null
  /** by token: why its last audit failed */
  readonly problems = new Map<string, string>()
  private reported: Array<string> = []

  constructor(form: IdForm) {
    this.form = form
  }

  /** Notes the recipient of a transfer that the source read. */
  sees(token: string, to: string, amount: bigint): void {
    if (to === this.form.zero) return
    const sample = this.samples.get(token) ?? new HolderSample()
    this.samples.set(token, sample)
    sample.sees(to, amount)
  }

  /** Begins an audit of a token; null where no holder is known, or no block was emitted yet. */
  begin(token: string): Audit | null {
    const holders = this.samples.get(token)?.addresses ?? []
    if (holders.length === 0 || this.tip === null) return null
    this.open = { token, at: this.tip, holders, moved: new Set(), balances: null }
    return this.open
  }

  /**
   * Takes the balances of an audit, for the next block. A rollback in between cancels the audit.
   */
  take(audit: Audit, balances: ReadonlyArray<bigint>): void {
    if (this.open === audit) this.open.balances = balances
  }

  /** Returns the tokens whose audits went into the log since the last call. */
  takeTold(): ReadonlyArray<string> {
    const { reported: tokens } = this
    this.reported = []
    return tokens
  }

  /** Takes a batch on its way to the log. Returns it, with the audit that is ready for it. */
  tellIn(batch: EventBatch): EventBatch {
    if (batch.count === 0) return batch
    if (beginsWithRollback(batch)) this.open = null
    this.observe(batch)
    const { block } = eventAt(batch, batch.count - 1)
    this.tip = block.hash === null ? null : { number: block.number, hash: block.hash }
    const { open } = this
    if (open === null || open.balances === null) return batch
    this.open = null
    const balances = open.balances
    const rows = open.holders
      .map((holder, i) => [holder, balances[i] as bigint] as const)
      .filter(([holder]) => !open.moved.has(holder))
    if (rows.length === 0) return batch
    this.reported.push(open.token)
    return withFacts(batch, last => [auditedIn(last, open, rows)])
  }

  private observe(batch: EventBatch): void {
    const { token, from, to, amount } = batch.columns.TransferSeen
    if (token.count === 0) return
    for (let i = 0; i < batch.count; i++) {
      if (batch.kind.get(i) !== KIND.TransferSeen) continue
      const row = batch.row.get(i)
      const text = (ref: number): string => batch.ids.text(ref) ?? ""
      const [what, source, target] = [token.get(row), from.get(row), to.get(row)].map(text)
      this.sees(what as string, target as string, amount.get(row) ?? 0n)
      if (what !== this.open?.token) continue
      this.open?.moved.add(source as string).add(target as string)
    }
  }
}
