import { Result } from "effect"
import { expect, it } from "vitest"
import { allProjections } from "../../projections/all.ts"
import { allPages } from "../queries.ts"
import { allChannels } from "./channels/all.ts"
import { CHANNELS, parseMessage } from "./message.ts"

const problem = (message: unknown) =>
  Result.match(parseMessage(typeof message === "string" ? message : JSON.stringify(message)), {
    onSuccess: () => null,
    onFailure: words => words
  })

it("has a channel for the frames of each projection that makes some, and no other", () => {
  const made = [...allProjections, ...allPages].flatMap(({ frames }) =>
    frames === undefined ? [] : [frames.channel]
  )
  const asked = allChannels.filter(({ present }) => present !== undefined).map(({ name }) => name)
  expect([...made, ...asked].toSorted()).toEqual(CHANNELS.toSorted())
})

it("says in words what is wrong with a message", () => {
  const topic = { op: "subscribe", channel: "trades", chain: 8453 }
  expect(problem(topic)).toBeNull()
  expect(problem({ op: "subscribe", chain: 8453 })).toBe(
    "channel is required: one of trades, candles, prices, boards, status"
  )
  expect(problem({ op: "subscribe", channel: "trades" })).toBe(
    "chain is required: the id or key of a chain"
  )
  expect(problem({ ...topic, channel: "trade" })).toBe(
    "channel must be one of trades, candles, prices, boards, status"
  )
  expect(problem({ ...topic, tf: "2m" })).toBe("tf must be one of 1m, 5m, 15m, 1h, 4h, 1d, 1w")
  expect(problem({ ...topic, from: -1 })).toBe("from must be a log position: a whole number from 0")
  expect(problem({ ...topic, log: 7 })).toBe(
    "log must be the id of a log: text of at most 64 characters, or null"
  )
  // as an answer may have it
  expect(problem({ ...topic, from: 7, log: null })).toBeNull()
  expect(problem({ ...topic, token: 7 })).toBe("token must be the address of a token")
  expect(problem({ op: "subscribe", channel: "prices", chain: 1, tokn: "0x00" })).toBe(
    'there is no field "tokn"; did you mean token?'
  )
  expect(problem({ ...topic, form: 7 })).toBe('there is no field "form"; did you mean from?')
  expect(problem({ op: "ping", [`${"x".repeat(70)}`]: 1 })).toBe(
    `there is no field "${"x".repeat(64)}"; ` +
      "the fields are op, id, channel, chain, token, pool, wallet, minUsd, tf, sort, includeUnlisted, sub, from, log"
  )
  expect(problem({ ...topic, op: "unsubscribe", from: 7, log: "a" })).toBeNull()
  for (const message of ["{", "[]", "7", "{}", '{"op":"x"}']) {
    expect(problem(message)).toBe(
      "neither a subscribe, an unsubscribe nor a ping message: send JSON such as " +
        '{"op":"subscribe","channel":"trades","chain":"base","token":"0x…"}, {"op":"ping"}'
    )
  }
})
