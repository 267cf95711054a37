/** Rows of the logs that could not be read: counts by reason and minute, and the newest. */
import type { FoldContext } from "../../engine/projection.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { quarantineKind } from "../../streams/quarantine-kind.ts"
import type { QuarantinedLog } from "./output.ts"
import { quarantinedLogsTable, quarantineMinutesTable, quarantineTable } from "./tables.ts"

/** Logs that are shown one by one. */
const NEWEST = 20

/** The newest logs, each in the slot of its number modulo their count. */
const newestLogs = (context: FoldContext) => {
  const rows = context.state(quarantinedLogsTable)
  return {
    /** Takes the log of a number. */
    take(log: QuarantinedLog, number: number): void {
      const slot = number % NEWEST
      rows.grow(slot + 1)
      const { columns: c } = rows
      c.block[slot] = log.block
      c.ts[slot] = log.time
      c.tx[slot] = log.tx
      c.account[slot] = log.account
      c.reason[slot] = log.reason
      rows.touch(slot)
    },
    at(number: number): QuarantinedLog {
      const { columns: c } = rows
      const slot = number % NEWEST
      return {
        block: c.block[slot] as number,
        time: c.ts[slot] as number,
        tx: c.tx[slot] ?? null,
        account: c.account[slot] ?? "",
        reason: c.reason[slot] ?? ""
      }
    }
  }
}

/** Takes each `LogQuarantined`. */
export const quarantineRows = (context: FoldContext) => {
  const kinds = context.state(quarantineTable)
  const minutes = context.state(quarantineMinutesTable)
  const newest = newestLogs(context)

  const countKind = (kind: string): number => {
    const known = kinds.columns.reason.indexOf(kind)
    const slot = known >= 0 && known < kinds.count ? known : kinds.add({ reason: kind })
    kinds.columns.logs[slot] = (kinds.columns.logs[slot] as number) + 1
    kinds.touch(slot)
    return slot
  }

  const countMinute = (slot: number, ts: number): void => {
    const t = ts - (ts % 60)
    minutes.grow(kinds.count)
    const { columns: c } = minutes
    if (c.t[slot] !== t) {
      minutes.emit(slot)
      c.t[slot] = t
      c.logs[slot] = 0
    }
    c.logs[slot] = (c.logs[slot] as number) + 1
    minutes.touch(slot)
  }

  /** How many logs were taken so far: the number of the next one. */
  const total = (): number =>
    kinds.columns.logs.subarray(0, kinds.count).reduce((sum, logs) => sum + logs, 0)

  return {
    take(batch: EventBatch, i: number): void {
      const { address, reason: reasons } = batch.columns.LogQuarantined
      const row = batch.row.get(i)
      const reason = batch.syms[reasons.get(row)] as string
      const place = batch.block.get(i)
      const time = batch.blocks.time.get(place)
      const tx = batch.tx.get(i)
      const log = {
        block: batch.blocks.number.get(place),
        time,
        tx: tx === NONE ? null : batch.ids.form.tx(batch.txs.hash.bytes(tx)),
        account: batch.ids.text(address.get(row)) ?? "",
        reason
      }
      newest.take(log, total())
      countMinute(countKind(quarantineKind(reason)), time)
    },
    byReason: () =>
      Array.from({ length: kinds.count }, (_, row) => ({
        reason: kinds.columns.reason[row] ?? "",
        count: kinds.columns.logs[row] as number
      })),
    newest: (): ReadonlyArray<QuarantinedLog> => {
      const count = total()
      const shown = Math.min(count, NEWEST)
      return Array.from({ length: shown }, (_, back) => newest.at(count - 1 - back))
    }
  }
}
