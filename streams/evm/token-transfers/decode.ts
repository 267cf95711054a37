/**
 * `Transfer` of ERC-20 tokens: two indexed addresses and an amount. Tokens of ERC-721 log the same
 * topic0 with the token's id as a fourth topic; those are no transfers of amounts.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { isAddressWord, type RawLog, word } from "../../raw-log.ts"
import type { EventDecoder } from "../../venue.ts"
import { rejection } from "../rejection.ts"

const transfer = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(1)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  const c = out.columns.TransferSeen
  c.token.push(out.ids.address(log.address))
  c.from.push(out.ids.addressWord(topics, word(1)))
  c.to.push(out.ids.addressWord(topics, word(2)))
  c.amount.pushUnsigned(log.data, word(0))
  out.end("TransferSeen", log.logIndex)
  return null
}

/** The commonest log there is: only of tokens that are pinned. */
export const tokenTransfer: EventDecoder = {
  abi: "event Transfer(address indexed from, address indexed to, uint256 value)",
  topic0: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  decode: transfer,
  emitterIsPool: false
}
