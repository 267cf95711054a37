/**
 * How a token comes to be pinned while a chain is read. What was asked for is watched from the next
 * fetch on; once all that was fetched before is written, its transfers are, and the log says so.
 */
import { Effect } from "effect"
import { readTokens } from "./read-facts.ts"
import type { LaneError, RpcLane } from "./rpc-lane.ts"

/**
 * To be called before a fetch: what was asked for since is watched by it. Gives the tokens that may
 * be pinned with its first block.
 */
export const watchAsked = (lane: RpcLane): ReadonlyArray<string> => {
  const { asked, watch, pins } = lane
  if (asked.size === pins.size) return []
  const tokens = asked.all.filter(token => !pins.hasAddress(token))
  for (const token of tokens) watch.addToken(token)
  return tokens
}

/** To be called before the first block of that fetch is written. */
export const pinTokens = (
  lane: RpcLane,
  tokens: ReadonlyArray<string>,
  block: number
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    const { pins, writer, facts } = lane
    const news = tokens.filter(token => !pins.hasAddress(token))
    const isUnknown = (token: string) => !writer.knowsToken(token) && facts.token(token) === null
    // a reorg that undid a pin may have undone what was told of its token too
    const unknown = [...news, ...writer.untoldPins].filter(isUnknown)
    if (unknown.length > 0) {
      for (const fact of yield* readTokens(lane.endpoints, unknown, block)) facts.addToken(fact)
    }
    for (const token of news) {
      // what the log tells of a token that it knows may be old
      if (writer.knowsToken(token)) facts.reads.changed(token)
      pins.add(token)
      writer.pin(token)
    }
  })
