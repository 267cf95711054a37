/** The socket in MessagePack: the same frames as in JSON, in about half the bytes. */
import type { IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { afterEach, expect, it } from "vitest"
import WebSocket from "ws"
import { LiveApi, TOKEN, TRADES } from "../../test/support/live-api.ts"
import { unpack } from "../../test/support/unpack.ts"
import { SWAP_ROW } from "../groups/fields.ts"

let live: LiveApi
const sockets: Array<WebSocket> = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await live.stop()
})

/** A packed socket, with what came over it after its hello. */
const open = async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${live.api.port}/v1/ws/live?format=msgpack`)
  sockets.push(socket)
  const frames: Array<unknown> = []
  const sizes: Array<number> = []
  let names: ReadonlyArray<string> = []
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    if (!isBinary) names = JSON.parse(String(data)).names
    else frames.push(unpack(data, names))
    if (isBinary) sizes.push(data.length)
  })
  await new Promise(resolve => socket.once("open", resolve))
  return { frames, sizes, send: (message: object) => socket.send(JSON.stringify(message)) }
}

const tradeOf = (seq: number) => {
  const rows = { tokenAmt: 12.345678 * seq, usd: 1234.567891 / seq, priceUsd: 3000.123456 + seq }
  const trade = { ...SWAP_ROW, ...rows, other: { unknownName: [null, true, "0x", "0xABC"] } }
  const about = { type: "trade", channel: "trades", chain: 8453, token: TOKEN }
  return { ...about, seq, at: 1_789_999_300, trade }
}
const commit = (seq: number) =>
  live.lane.commit(seq, [{ channel: "trades", key: TOKEN, body: JSON.stringify(tradeOf(seq)) }])

it("tells live and past frames and answers as in JSON, in about half the bytes", async () => {
  live = await LiveApi.start({ newestMs: 5 })
  commit(2)
  const [packed, plain] = [await open(), await live.greeted()]
  packed.send({ ...TRADES, from: 1, id: "a" })
  plain.send({ ...TRADES, from: 1, id: "a" })
  await expect.poll(() => packed.frames.length).toBe(2)
  await plain.take(2)
  await plain.settled()
  for (let seq = 3; seq <= 50; seq++) commit(seq)
  packed.send({ op: "x", id: 7 })
  plain.send({ op: "x", id: 7 })
  await expect.poll(() => packed.frames.length).toBe(51)
  await expect.poll(() => plain.frames.length).toBe(52)
  expect(packed.frames).toEqual(plain.frames.slice(1))
  const text = plain.frames.slice(3, 51).reduce((sum, one) => sum + JSON.stringify(one).length, 0)
  const bytes = packed.sizes.slice(2, 50).reduce((sum, one) => sum + one, 0)
  expect(bytes / text).toBeLessThan(0.55)
})

it("is refused in a format that there is not, or by a parameter that there is not", async () => {
  live = await LiveApi.start()
  const refused = async (query: string) => {
    const socket = new WebSocket(`ws://127.0.0.1:${live.api.port}/v1/ws/live?${query}`)
    sockets.push(socket)
    socket.on("error", () => undefined)
    const response = await new Promise<IncomingMessage>(resolve =>
      socket.once("unexpected-response", (_, answer) => resolve(answer))
    )
    return [response.statusCode, JSON.parse(await text(response)).message]
  }
  expect(await refused("format=xml")).toEqual([400, "format must be json or msgpack"])
  expect(await refused("fromat=msgpack")).toEqual([
    400,
    "there is no parameter fromat here; the socket takes format"
  ])
  await expect.poll(() => live.api.counters.sockets).toBe(0)
})
