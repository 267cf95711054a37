/** Logs in forms of their own: bytes that outlive the scanner, and the text that viem wants. */
import type { AbiEvent, Hex } from "viem"
import { toHex } from "../../src/domain/address.ts"
import type { RawLog } from "../../streams/evm/raw-log.ts"

/** A log as text, and the one event that it is, which is viem's quickest way. */
export interface ViemLog {
  readonly own: ReadonlyArray<AbiEvent>
  readonly topics: [Hex, ...Array<Hex>]
  readonly data: Hex
}

export const copyOf = (raw: RawLog): RawLog => ({
  ...raw,
  address: raw.address.slice(),
  topics: raw.topics.slice(),
  data: raw.data.slice(0, raw.dataLength)
})

/** The log's first topic; it must have one. */
export const topic0Of = ({ topics }: RawLog): string => toHex(topics.subarray(0, 32))

export const viemLog = (log: RawLog, event: AbiEvent): ViemLog => ({
  own: [event],
  topics: Array.from({ length: log.topicCount }, (_, i) =>
    toHex(log.topics.subarray(32 * i, 32 * i + 32))
  ) as [Hex, ...Array<Hex>],
  data: toHex(log.data.subarray(0, log.dataLength)) as Hex
})
