/** Many readers of one topic: what is done once for all of them, and reaches each. */
import { Deferred, Effect } from "effect"
import { afterEach, expect, it } from "vitest"
import { LiveApi, TOKEN, TRADES, tradeFrame } from "../../test/support/live-api.ts"
import type { WsClient } from "../../test/support/ws-client.ts"

let live: LiveApi
afterEach(() => live.stop())

const greeted = async (): Promise<ReadonlyArray<WsClient>> => [
  await live.greeted(),
  await live.greeted(),
  await live.greeted()
]

it("is one question to the lane where they come at once, each with its own name of it", async () => {
  live = await LiveApi.start()
  const gate = Deferred.makeUnsafe<void>()
  let asked = 0
  live.lane.beforeHistory = () => {
    asked++
    return Deferred.await(gate)
  }
  const clients = await greeted()
  for (const [sub, client] of clients.entries()) {
    client.send({ ...TRADES, sub })
    client.send({ op: "ping" })
    expect(await client.next()).toMatchObject({ type: "pong" })
  }
  Deferred.doneUnsafe(gate, Effect.void)
  for (const [sub, client] of clients.entries()) {
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 1, sub })
  }
  expect(asked).toBe(1)
  live.trade(2)
  for (const [sub, client] of clients.entries()) {
    expect(await client.next()).toMatchObject({ type: "trade", seq: 2, sub })
  }
})

it("get every frame of a commit, those who left the topic none", async () => {
  live = await LiveApi.start()
  const clients = await greeted()
  for (const client of clients) {
    client.send(TRADES)
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 1 })
  }
  // with it they join
  live.trade(2)
  for (const client of clients) expect(await client.next()).toMatchObject({ seq: 2 })
  const [left, ...stayed] = clients
  left?.send({ ...TRADES, op: "unsubscribe" })
  expect(await left?.next()).toMatchObject({ type: "unsubscribed" })
  live.lane.commit(
    3,
    ["a", "b", "c"].map(text => tradeFrame(3, TOKEN, `,"message":"${text}"`))
  )
  for (const client of stayed) {
    expect((await client.take(3)).map(({ message }) => message)).toEqual(["a", "b", "c"])
  }
  left?.send({ op: "ping" })
  expect(await left?.next()).toMatchObject({ type: "pong" })
})
