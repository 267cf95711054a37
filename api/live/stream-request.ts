/**
 * What a stream of events is asked for: `topic=trades,chain=base,token=0x…`, once for each topic. A
 * topic is a socket's `subscribe` message, its channel first, the other fields as `name=value`.
 */
import { Result } from "effect"
import { parseMessage, type Subscribe } from "./message.ts"

/** Fields of messages that are numbers. */
const NUMBERS = new Set(["from", "minUsd", "includeUnlisted"])

const isNumber = (text: string): boolean => /^\d+(\.\d+)?$/.test(text)

/** The message that a topic stands for, or what is wrong with it in words. */
const messageOf = (topic: string): Result.Result<Subscribe, string> => {
  const [channel = "", ...rest] = topic.split(",")
  const fields: Array<readonly [string, string | number]> = [["channel", channel]]
  for (const pair of rest) {
    const at = pair.indexOf("=")
    const name = pair.slice(0, at)
    const value = pair.slice(at + 1)
    if (at < 1) return Result.fail(`topic: "${pair}" is no name=value`)
    if (name === "op" || fields.some(([known]) => known === name)) {
      return Result.fail(`topic: ${name} may not stand there`)
    }
    fields.push([name, NUMBERS.has(name) && isNumber(value) ? Number(value) : value])
  }
  const message = parseMessage(JSON.stringify({ op: "subscribe", ...Object.fromEntries(fields) }))
  return Result.flatMap(message, parsed =>
    parsed.op === "subscribe" ? Result.succeed(parsed) : Result.fail("topic: no subscription")
  )
}

const EXAMPLE = "topic=trades,chain=base,token=0x…"

/** The messages of a query, in its order. */
const messagesOf = (query: string): Result.Result<ReadonlyArray<Subscribe>, string> => {
  const topics: Array<Subscribe> = []
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== "topic") return Result.fail(`there is no parameter ${name}; give ${EXAMPLE}`)
    const message = messageOf(value)
    if (Result.isFailure(message)) return Result.fail(message.failure)
    topics.push(message.success)
  }
  if (topics.length === 0) return Result.fail(`topic is required: ${EXAMPLE}`)
  return Result.succeed(topics)
}

/** Where a reader stands in a topic. */
export interface Place {
  readonly seq: number
  /** id of the log that it is a position of; null where none is known */
  readonly log: string | null
}

/** The id of an event: where its reader stands in each topic, in the order of the query. */
export const eventId = (places: ReadonlyArray<Place | null>): string =>
  places.map(place => (place === null ? "-" : `${place.seq}@${place.log ?? ""}`)).join(",")

const PLACE = /^(\d{1,16})@(\w{0,64})$/

/** The places that an event's id tells; null where it is none. */
const placesOf = (id: string): ReadonlyArray<Place | null> | null => {
  const places: Array<Place | null> = []
  for (const part of id.split(",")) {
    const [, seq, log = ""] = PLACE.exec(part) ?? []
    if (part !== "-" && seq === undefined) return null
    places.push(seq === undefined ? null : { seq: Number(seq), log: log === "" ? null : log })
  }
  return places
}

const resumed = (message: Subscribe, place: Place | null | undefined): Subscribe => {
  if (place === null || place === undefined) return message
  const { log: _, ...rest } = message
  return { ...rest, from: place.seq, ...(place.log === null ? {} : { log: place.log }) }
}

/**
 * The subscriptions that a request asks for; what is wrong with it in words. Where a browser comes
 * back, `lastEventId` says what it has.
 */
export const streamRequest = (
  query: string,
  lastEventId: string
): Result.Result<ReadonlyArray<Subscribe>, string> =>
  Result.flatMap(messagesOf(query), messages => {
    if (lastEventId === "") return Result.succeed(messages)
    const places = placesOf(lastEventId)
    if (places === null || places.length !== messages.length) {
      return Result.fail("Last-Event-ID must be the id of an event of the same topics")
    }
    return Result.succeed(messages.map((message, i) => resumed(message, places[i])))
  })
