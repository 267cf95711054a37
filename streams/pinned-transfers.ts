/** Events of the transfers of pinned tokens, which the log holds besides what pools tell. */
import { idBytes } from "../src/domain/ids.ts"
import type { Event } from "./event.ts"
import { tokenTransfer, wrapEvents } from "./evm/token-transfers/decode.ts"

/** In place of how far a token's past reaches, where its pin was taken back. */
export const UNPINNED = "unpinned"

const transferTopic = idBytes(tokenTransfer.topic0)
const wrapTopics = wrapEvents.map(({ topic0 }) => idBytes(topic0))

/** The token whose transfer an event tells, or could not be read from; null for other events. */
export const transferTokenOf = (event: Event): string | null => {
  if (event.kind === "TransferSeen") return event.token
  if (event.kind !== "LogQuarantined") return null
  const { topics, address } = event
  const begins = (topic: Uint8Array) => topic.every((byte, i) => topics[i] === byte)
  const isOne =
    (topics.length === 96 && begins(transferTopic)) ||
    (topics.length === 64 && wrapTopics.some(begins))
  return isOne ? address : null
}
