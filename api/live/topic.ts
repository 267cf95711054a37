/** What can be subscribed to: a part of a channel, of one chain. */
import { Result } from "effect"
import type { Lane, Lanes } from "../../engine/lane/lanes.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import { withheldMessage } from "../groups/withheld-chain.ts"
import { type Channel, type LiveRefusal, refused, type TopicFields } from "./channel.ts"
import { allChannels } from "./channels/all.ts"
import type { Unsubscribe } from "./message.ts"
import { WORDS, type Word } from "./words.ts"

export interface Topic {
  readonly lane: Lane
  readonly channel: Channel
  /** what frames of it are keyed by */
  readonly key: string
  /** unique among all lanes */
  readonly name: string
  /** how frames of the server name it */
  readonly fields: TopicFields
}

/** The name of the topic that frames of this channel and key belong to. */
export const topicName = (chain: number, channel: string, key: string): string =>
  `${chain}/${channel}/${key}`

const ALL_WORDS = Object.keys(WORDS) as ReadonlyArray<Word>

/** The topic that a message means. */
export const topicOf = (
  lanes: Lanes["Service"],
  asked: Omit<Unsubscribe, "op">
): Result.Result<Topic, LiveRefusal> => {
  const lane = lanes.find(String(asked.chain))
  if (lane === undefined) {
    const withheld = withheldMessage(lanes, String(asked.chain))
    if (withheld !== null) return refused("UNSUPPORTED_CHAIN", withheld)
    const served = lanes.all.map(({ config }) => config.key).join(", ")
    const message = `chain ${asked.chain} is not served here; served: ${served}`
    return refused("UNSUPPORTED_CHAIN", message)
  }
  const channel = allChannels.find(({ name }) => name === asked.channel)
  if (channel === undefined) return refused("INVALID_PARAMS", "there is no such channel")
  const { name, takes } = channel
  const other = ALL_WORDS.find(word => asked[word] !== undefined && !takes.includes(word))
  if (other !== undefined) {
    return refused(
      "INVALID_PARAMS",
      `${name} takes no ${other}, but ${takes.join(", ") || "a chain"}`
    )
  }
  const { config } = lane
  return Result.map(channel.partOf(lane, asked), ({ key, named }) => ({
    lane,
    channel,
    key,
    name: topicName(config.id, name, key),
    fields: { channel: name, chain: shownChain(config), ...named }
  }))
}
