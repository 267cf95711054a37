/**
 * Most operations of accounts do nothing that the log holds, and a bundle has many. Of each
 * transaction only those events of them are kept that tell whose the others are: the end of an
 * operation with other events, and one begin before the first of these.
 */

import type { OperationLog } from "./log-decoder.ts"
import { newRawLog, type RawLog } from "./raw-log.ts"

export class OperationFilter {
  private readonly held = newRawLog()
  private isHeld = false
  /** something was kept since the last end */
  private isOpen = false

  /** A transaction begins. */
  begin(): void {
    this.isHeld = false
    this.isOpen = false
  }

  /** Whether the log is to be written now; a begin waits for the first that is. */
  keeps(raw: RawLog, operation: OperationLog | null): boolean {
    if (operation === null) {
      this.isOpen = true
      return true
    }
    // whether it is logged depends on what is pinned: nothing else may
    if (operation === "apart") return true
    if (operation === "end") {
      const { isOpen } = this
      this.isOpen = false
      return isOpen
    }
    if (operation === "begin") this.hold(raw)
    return false
  }

  /** The begin that is to be written before a log that is kept, once. */
  takeBegin(): RawLog | null {
    if (!this.isHeld) return null
    this.isHeld = false
    return this.held
  }

  private hold(raw: RawLog): void {
    const { held } = this
    held.address.set(raw.address)
    held.topics.set(raw.topics)
    held.topicCount = raw.topicCount
    if (raw.dataLength > held.data.length) held.data = new Uint8Array(raw.dataLength)
    held.data.set(raw.data.subarray(0, raw.dataLength))
    held.dataLength = raw.dataLength
    held.logIndex = raw.logIndex
    this.isHeld = true
  }
}
