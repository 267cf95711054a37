import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openNotes } from "../../src/platform/kv-notes.ts"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { get } from "../../test/support/get.ts"
import { startNats, type TestNats } from "../../test/support/nats.ts"
import { TestKeys } from "../../test/support/test-keys.ts"
import { RateLimiter } from "./rate-limiter.ts"
import type { ShareCounts } from "./serve.ts"
import { SharedCounts } from "./shared-counts.ts"

const address = new Uint8Array([10, 0, 0, 1]).buffer

/** Nodes whose notes are carried when the test says so. */
const nodesOf = (count: number, now: () => number) => {
  const notes: Array<Uint8Array> = []
  const nodes = Array.from({ length: count }, (_, i) => {
    const limiter = new RateLimiter({ enforced: true, loopbackEnforced: false, now })
    return { limiter, counts: new SharedCounts(limiter, `node ${i}`) }
  })
  return {
    notes,
    take: (node: number) => nodes[node]?.limiter.take("default", address, null),
    tell: () => {
      for (const { counts } of nodes) counts.tell((_, note) => notes.push(note))
    },
    carry: () => {
      for (const note of notes.splice(0)) for (const { counts } of nodes) counts.receive(note)
    }
  }
}

describe("nodes that count together", () => {
  it("know what each let through once its note has come", () => {
    const { take, tell, carry } = nodesOf(2, () => 30_000)
    for (let i = 0; i < 40; i++) take(0)
    expect(take(1)).toBe(59)
    tell()
    carry()
    expect([take(0), take(1)]).toEqual([18, 18])
    tell()
    carry()
    expect([take(0), take(1)]).toEqual([16, 16])
  })

  it("pass over the limit by no more than came before the notes", () => {
    const { take, tell, carry } = nodesOf(3, () => 30_000)
    let served = 0
    for (let turn = 0; turn < 20; turn++) {
      for (const node of [0, 1, 2]) {
        for (let i = 0; i < 7; i++) if ((take(node) ?? -1) >= 0) served++
      }
      tell()
      carry()
    }
    // 42 after two turns; in the third each node lets 7 through, and then none
    expect(served).toBe(63)
  })

  it("tell each thing once, and nothing where nothing came", () => {
    const { take, tell, notes } = nodesOf(2, () => 30_000)
    take(0)
    take(0)
    tell()
    expect(notes.map(note => JSON.parse(new TextDecoder().decode(note)))).toEqual([
      { node: "node 0", end: 60, counts: [["default", 0x0a000001, 2]] }
    ])
    tell()
    expect(notes.length).toBe(1)
  })

  it("forget a window at its end, and what they hear of it afterwards", () => {
    let now = 59_000
    const { take, tell, carry } = nodesOf(2, () => now)
    for (let i = 0; i < 60; i++) take(0)
    tell()
    now = 60_000
    expect(take(1)).toBe(59)
    carry()
    expect([take(0), take(1)]).toEqual([59, 58])
  })

  it("pass over what is no note", () => {
    const limiter = new RateLimiter({ enforced: true, loopbackEnforced: false, now: () => 0 })
    const counts = new SharedCounts(limiter, "a")
    const texts = ["", "{", '{"node":"b","end":60,"counts":[["default",1,-5]]}']
    for (const text of texts) counts.receive(new TextEncoder().encode(text))
    expect(limiter.take("default", new Uint8Array([0, 0, 0, 1]).buffer, null)).toBe(59)
  })
})

describe("two servers on one nats-server", () => {
  const keys = new TestKeys()
  let nats: TestNats
  const apis: Array<TestApi> = []
  const share: ShareCounts = onNote => openNotes(nats.url, "RATE_LIMITS", onNote)
  const now = () => 90_500
  beforeAll(async () => {
    nats = await startNats()
    for (const _ of ["one", "other"]) {
      const rateLimit = { enforced: true, loopbackEnforced: false, now }
      apis.push(await startApi([], { rateLimit, keys: keys.book, shareCounts: share }))
    }
  })
  afterAll(async () => {
    for (const api of apis) await api.close()
  })

  /** Asks one node with a new key until another has heard of it: what is told early is lost. */
  const untilTogether = async (name: string) => {
    const key = { "x-api-key": keys.create(name, { default: 100_000 }) }
    let asked = 0
    await expect
      .poll(async () => {
        asked++
        await get(`${apis[0]?.url}/v1/rules`, key)
        const { text } = await get(`${apis[1]?.url}/v1/account/key`, key)
        return JSON.parse(text).limits.default.used - asked
      })
      .toBeGreaterThan(0)
  }

  it("count a key together, also after that server died, and go on alone without it", async () => {
    await untilTogether("before")
    const { pid } = nats.status()
    process.kill(pid ?? 0, "SIGKILL")
    await expect.poll(() => nats.status().pid ?? pid).not.toBe(pid)
    await untilTogether("after")
    await nats.stop()
    const later = { "x-api-key": keys.create("later") }
    const { status, headers } = await get(`${apis[0]?.url}/v1/rules`, later)
    expect([status, headers["x-ratelimit-remaining"]]).toEqual([200, "599"])
  })
})
