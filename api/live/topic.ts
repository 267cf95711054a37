/** What can be subscribed to: a channel of a lane, for a token or for a token's interval. */
import { Data, Result } from "effect"
import type { Lane, Lanes } from "../../engine/lane/lanes.ts"
import { parseAddress, ZERO_ADDRESS } from "../../src/domain/address.ts"
import { withheldMessage } from "../groups/withheld-chain.ts"
import type { Channel, LiveError, TopicFields, Unsubscribe } from "./message.ts"

export interface Topic {
  readonly lane: Lane
  readonly channel: Channel
  /** what frames of it are keyed by: `token`, `token:tf`, or `*` */
  readonly key: string
  /** unique among all lanes */
  readonly name: string
  /** how frames of the server name it */
  readonly fields: TopicFields
}

/** Why a message is not followed. */
export class LiveRefusal extends Data.TaggedError("LiveRefusal")<LiveError> {}

/** The name of the topic that frames of this channel and key belong to. */
export const topicName = (chain: number, channel: string, key: string): string =>
  `${chain}/${channel}/${key}`

const refuse = (error: LiveError["error"], message: string) =>
  Result.fail(new LiveRefusal({ error, message }))

const topic = (lane: Lane, channel: Channel, token: string | null, tf?: string): Topic => {
  const key = token === null ? "*" : tf === undefined ? token : `${token}:${tf}`
  const chain = lane.config.id
  return {
    lane,
    channel,
    key,
    name: topicName(chain, channel, key),
    fields: { channel, chain, token, ...(tf === undefined ? {} : { tf }) }
  }
}

/** The topic a message means. The zero address stands for the chain's native unit. */
export const topicOf = (
  lanes: Lanes["Service"],
  asked: Omit<Unsubscribe, "op">
): Result.Result<Topic, LiveRefusal> => {
  const lane = lanes.find(String(asked.chain))
  if (lane === undefined) {
    const withheld = withheldMessage(lanes, String(asked.chain))
    if (withheld !== null) return refuse("UNSUPPORTED_CHAIN", withheld)
    const served = lanes.all.map(({ config }) => config.key).join(", ")
    return refuse("UNSUPPORTED_CHAIN", `chain ${asked.chain} is not served here; served: ${served}`)
  }
  const { channel, token: text, tf } = asked
  if (text === undefined) {
    if (channel === "prices") return Result.succeed(topic(lane, channel, null))
    return refuse("INVALID_PARAMS", `token is required on ${channel}`)
  }
  const address = parseAddress(text)
  if (address === null) return refuse("BAD_ADDRESS", "token must be 0x and 40 hex digits")
  const token = address === ZERO_ADDRESS ? (lane.config.nativeToken ?? address) : address
  if (channel !== "candles") return Result.succeed(topic(lane, channel, token))
  if (tf === undefined) return refuse("INVALID_PARAMS", "tf is required on candles")
  return Result.succeed(topic(lane, channel, token, tf))
}
