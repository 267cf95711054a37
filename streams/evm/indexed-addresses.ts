/** Logs whose indexed arguments all are addresses. */
import { isAddressWord, type RawLog, word } from "./raw-log.ts"
import { rejection } from "./rejection.ts"

/** Why the log does not have so many addresses for topics, topic0 aside, and so many data words. */
export const checkIndexed = (log: RawLog, addresses: number, words: number): string | null => {
  if (log.topicCount !== addresses + 1) return rejection.topicCount
  if (log.dataLength !== word(words)) return rejection.dataLength
  for (let topic = 1; topic <= addresses; topic++) {
    if (!isAddressWord(log.topics, word(topic))) return rejection.address
  }
  return null
}
