/** What a refusal says of a message that is none of the protocol. */
import { afterEach, expect, it } from "vitest"
import { LiveApi, TOKEN } from "../../test/support/live-api.ts"

let live: LiveApi
afterEach(() => live.stop())

it("names the topic and the subscription that it is about, but not what is wrong", async () => {
  live = await LiveApi.start()
  const client = await live.greeted()
  const said = async (message: object | string) => {
    client.send(message)
    const { type: _, error, message: __, ...named } = await client.next()
    expect(error).toBe("INVALID_PARAMS")
    return named
  }
  const topic = { channel: "trades", chain: 8453, token: TOKEN }
  const subscribe = { op: "subscribe", ...topic, id: 7, sub: "mine" }
  const named = { id: 7, sub: "mine", ...topic }
  expect(await said({ ...subscribe, from: -1 })).toEqual(named)
  expect(await said({ ...subscribe, form: 5 })).toEqual(named)
  expect(await said({ ...subscribe, minUsd: "1" })).toEqual(named)
  expect(await said({ ...subscribe, sub: {}, chain: [] })).toEqual({
    ...{ id: 7, channel: "trades", token: TOKEN }
  })
  expect(await said({ ...subscribe, id: {}, channel: "x", pool: "0x01" })).toEqual({
    ...{ sub: "mine", chain: 8453, token: TOKEN, pool: "0x01" }
  })
  const { sub: _, ...unnamed } = named
  expect(await said({ ...subscribe, op: "unsubscribe", from: 1, log: 5, tf: "1" })).toEqual(unnamed)
  expect(await said({ ...subscribe, op: "ping", token: TOKEN, id: 7, x: 1 })).toEqual({ id: 7 })
  expect(await said({ ...subscribe, op: "constructor" })).toEqual({ id: 7 })
  expect(await said("[]")).toEqual({})
})
