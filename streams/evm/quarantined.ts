import type { BatchBuilder } from "../batch/builder.ts"
import type { RawLog } from "./raw-log.ts"

/** Pushes a log that does not decode, whole and with the reason. */
export const pushQuarantined = (out: BatchBuilder, log: RawLog, reason: string): void => {
  const c = out.columns.LogQuarantined
  c.address.push(out.ids.account(log.account))
  c.topics.push(log.topics.subarray(0, log.topicCount * 32))
  c.data.push(log.data.subarray(0, log.dataLength))
  c.reason.push(out.sym(reason))
  out.end("LogQuarantined", log.logIndex)
}
