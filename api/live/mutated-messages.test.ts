/** Messages of the live socket, mutated at random: each is answered as documented, or the socket ends. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { LiveApi, TOKEN } from "../../test/support/live-api.ts"
import { type Random, random, seed } from "../../test/support/seed.ts"
import type { Frame, WsClient } from "../../test/support/ws-client.ts"
import { allChannels } from "./channels/all.ts"

const MESSAGES = process.env["SWAPTAPE_LONG"] === "1" ? 40_000 : 400
/** Of one connection. */
const EACH = 20
const TEXT = 1
const BINARY = 2

const CODES = [
  ...["INVALID_PARAMS", "BAD_ADDRESS", "UNSUPPORTED_CHAIN", "ALREADY_SUBSCRIBED"],
  ...["NOT_SUBSCRIBED", "TOO_MANY_CHANNELS", "NOT_READY", "CHAIN_DATA_UNAVAILABLE"],
  "RESUME_TOO_OLD"
]
const ANSWERS = new Set(["hello", "subscribed", "unsubscribed", "pong"])
/** Our own, those of the protocol that uWebSockets says, and none where it cuts. */
const CLOSINGS = [1002, 1003, 1005, 1006, 1007, 1009, 4008, 4029]

let live: LiveApi
beforeAll(async () => {
  live = await LiveApi.start({ maxMessagesPerSecond: 1_000 })
  live.trade(2)
})
afterAll(() => live.stop())

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)

const WORDS: ReadonlyArray<unknown> = [
  ...["", "trades", "x", TOKEN, "0x", "__proto__", "1m", "9".repeat(70), "\u0000", "\ud800"],
  ...[0, -1, 1.5, 1e300, 8453, 5042, 143, true, null, [], {}, [[]], { a: 1 }]
]
const FIELDS = [
  ...[
    "op",
    "id",
    "sub",
    "channel",
    "chain",
    "token",
    "pool",
    "wallet",
    "minUsd",
    "tf",
    "sort",
    "includeUnlisted"
  ],
  ...["from", "log", "nothing", "__proto__", "constructor"]
]

const messageOf = (r: Random): string => {
  const fields: Array<readonly [string, unknown]> = [
    ["op", r.pick(["subscribe", "subscribe", "unsubscribe", "ping"])],
    ["channel", r.pick(allChannels).name],
    ["chain", r.pick([8453, "base", "arc"])],
    ["token", TOKEN]
  ]
  for (let i = r.integer(0, 3); i > 0; i--) fields.push([r.pick(FIELDS), r.pick(WORDS)])
  const parts = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  const text = `{${r.shuffle(parts).join(",")}}`
  if (r.boolean(0.8)) return text
  const at = r.integer(0, text.length)
  return text.slice(0, at) + r.pick(["{", "}", '"', "\\u", ",", "\u0000"]) + text.slice(at + 1)
}

const noise = (r: Random, most: number): Buffer =>
  Buffer.from(Array.from({ length: r.integer(0, most) }, () => r.integer(0, 255)))

/** What may end a connection. */
const FAULTS: ReadonlyArray<(client: WsClient, r: Random) => void> = [
  (client, r) => client.sendFrame(BINARY, noise(r, 300)),
  (client, r) => client.sendFrame(TEXT, noise(r, 300)),
  (client, r) => client.send(`{"op":"subscribe","sub":"${"x".repeat(r.integer(4000, 70_000))}"}`),
  (client, r) => client.sendFrame(r.pick([9, 10]), noise(r, 200)),
  (client, r) => client.sendFrame(r.integer(3, 15), noise(r, 20)),
  (client, r) => client.sendFrame(TEXT | 0x40, noise(r, 60)),
  client => {
    for (let i = 0; i < 1_200; i++) client.send('{"op":"ping"}')
  },
  (client, r) => {
    client.sendBytes(noise(r, 60))
    // a frame that announces more than comes would hold what is behind it
    client.sendBytes(Buffer.alloc(0x10000))
  }
]

const send = (client: WsClient, r: Random): void => {
  if (r.boolean(0.03)) r.pick(FAULTS)(client, r)
  else if (r.boolean(0.1)) client.sendFrame(BINARY, Buffer.from(messageOf(r)))
  else if (r.boolean(0.05)) client.send(nested(r.integer(1, 2000)))
  else client.send(messageOf(r))
}

const isDocumented = ({ type, error, channel }: Frame & { readonly channel?: string }): boolean => {
  if (type === "error") return CODES.includes(error ?? "")
  return ANSWERS.has(type) || allChannels.some(({ name }) => name === channel)
}

/** Waits until all that was sent is answered, or the connection is over. */
const settled = async (client: WsClient): Promise<void> => {
  await Promise.race([client.settled(), client.ended()])
}

it("get documented answers or an end, and leave the server as it was", async () => {
  console.log(`mutated messages: SEED=${seed}`)
  const r = random("mutated messages")
  const seen = new Set<string>()
  for (let sent = 0; sent < MESSAGES; sent += EACH) {
    const client = await live.open()
    for (let i = 0; i < EACH && client.closed === null; i++) send(client, r)
    await settled(client)
    for (const frame of client.frames) {
      expect(isDocumented(frame), JSON.stringify(frame).slice(0, 300)).toBe(true)
      seen.add(frame.error ?? frame.type)
    }
    if (client.closed !== null) {
      expect(CLOSINGS).toContain(client.closed.code)
      seen.add(`closed ${client.closed.code}`)
    }
    client.close()
  }
  expect([...seen]).toEqual(
    expect.arrayContaining([
      ...["hello", "subscribed", "unsubscribed", "INVALID_PARAMS", "NOT_SUBSCRIBED"]
    ])
  )
  await expect.poll(() => live.api.counters.sockets).toBe(0)
  const last = await live.greeted()
  last.send({ op: "ping" })
  expect(await last.next()).toMatchObject({ type: "pong" })
  expect((await fetch(`${live.api.url}/v1/health`)).status).toBe(200)
}, 1_200_000)
