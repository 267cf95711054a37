/** Solana's status: what it says of a lane, and every reason for which its gate does not pass. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { solana } from "../../../src/domain/chains/solana.ts"
import { solanaVenues } from "../../../streams/solana/venues.ts"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane, refusal } from "../../../test/support/fake-lanes.ts"

const INGEST = {
  ...{ genesisSlot: 400_000_000, slots: 900, swaps: 5, slotsPerMin: 150, swapsPerMin: 31.5 },
  ...{ solUsd: 150.25, block: 99, at: 1_789_999_000, liveHours: 2, missing24h: 0 },
  ...{ contradicted24h: 0, unread24h: 3, isMuchUnread: false },
  ...{ unchecked: null, hourCheck: { hour: 1_789_992_000, hourlyDiff: 0, candleDiff: 0 } }
}

const lane = new FakeLane({ ...solana, simulated: true })
const fresh = lane.state
let api: TestApi
beforeAll(async () => {
  api = await startApi([lane, new FakeLane(chainConfig(8453, "base"))])
})
afterAll(() => api.close())
beforeEach(() => {
  lane.state = fresh
  lane.unwell = null
  lane.respond = () => INGEST
})

const read = async () => {
  const response = await fetch(`${api.url}/v1/chains/solana/status`)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

it("tells the ingest, never from a cache", async () => {
  const counted = { events: 4, swaps: 2, ok: 1, bad: 0, unchecked: 1, noParent: 0, otherEvents: 3 }
  const decode = { venues: [{ number: 10, ...counted }], untold: 0, orphaned: 2, auditCursor: 77 }
  const source = fresh.source === null ? null : { ...fresh.source, decode }
  lane.state = { ...fresh, source }
  const { status, headers, body } = await read()
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"])
  const none = { events: 0, swaps: 0, ok: 0, bad: 0, unchecked: 0, noParent: 0, otherEvents: 0 }
  expect(body).toMatchObject({
    ...{ chain: "solana", ok: true, problem: null, simulated: true, public: true },
    ...{ cursor: 99, lagSlots: 4, genesisSlot: 400_000_000, auditCursor: 77 },
    ...{ slotsPerMin: 150, swapsPerMin: 31.5, solUsd: 150.25 },
    totals: { slots: 900, swaps: 5, orphaned: 2, late: 0 },
    decode: { "1": none, "10": counted },
    gate: { pass: true, at: 1_789_999_000, liveHours: 2, reasons: [] }
  })
  expect(Object.keys(body.decode)).toEqual(solanaVenues.map(({ number }) => String(number)))
})

it("tells a simulated chain by its log, also where no source runs", async () => {
  lane.state = { ...fresh, state: "history", source: null }
  expect((await read()).body.simulated).toBe(true)
  const real = new FakeLane(solana, () => INGEST)
  const other = await startApi([real])
  const told = await fetch(`${other.url}/v1/chains/solana/status`)
  expect((await told.json()).simulated).toBe(false)
  await other.close()
})

it("names the settings that turn it on, that of the simulated one where others are", async () => {
  const message = "chain solana is off on this deployment; set RPC_SOLANA"
  for (const [simulated, more] of [
    [true, " or DEVCHAIN_SOLANA=on"],
    [false, ""]
  ] as const) {
    const base = new FakeLane({ ...chainConfig(8453, "base"), simulated })
    const other = await startApi([base])
    for (const path of ["solana/status", `${solana.id}/trending`]) {
      const response = await fetch(`${other.url}/v1/chains/${path}`)
      expect(await response.json()).toMatchObject({
        error: "CHAIN_NOT_ENABLED",
        message: `${message}${more} to turn it on`
      })
    }
    await other.close()
  }
})

const WRONG = [
  {
    ofFiles24h: true,
    told: "blocks of the last 24 hours are of files: nothing shows which slots they lack"
  },
  {
    contradicted24h: 2,
    told: "swaps of the last 24 hours that their vaults' balances contradict: 2"
  },
  {
    isMuchUnread: true,
    told: "instructions of venues of the last 24 hours that could not be read: 3"
  },
  { missing24h: 1, told: "blocks of the last 24 hours that are missing: 1" },
  { unchecked: "young", hourCheck: null, told: "no whole hour has been read yet" },
  {
    ...{ unchecked: "gap", hourCheck: null },
    told: "the newest hour that is over is not recounted: blocks of it are missing"
  },
  {
    hourCheck: { hour: 1, hourlyDiff: 2, candleDiff: 0 },
    told: "markets of the hour that differ from their swaps: 2"
  },
  {
    hourCheck: { hour: 1, hourlyDiff: 0, candleDiff: 1 },
    told: "candles of the hour that differ from their prints: 1"
  }
]

it.each(WRONG)("does not pass: $told", async ({ told, ...wrong }) => {
  lane.respond = () => ({ ...INGEST, ...wrong })
  const { body } = await read()
  expect([body.gate.pass, body.gate.reasons]).toEqual([false, [told]])
})

it("shows in the metrics what vaults said of swaps, and whether the gate passes", async () => {
  const counted = { events: 4, swaps: 9, ok: 5, bad: 1, unchecked: 3, noParent: 0, otherEvents: 3 }
  const venues = [10, 11].map(number => ({ number, ...counted }))
  const decode = { venues, untold: 0, orphaned: 0, auditCursor: 77 }
  const source = fresh.source === null ? null : { ...fresh.source, decode }
  lane.state = { ...fresh, source }
  const figures = async () => {
    const text = await (await fetch(`${api.url}/metrics`)).text()
    return text.split("\n").filter(line => /^swaptape_lane_(checked|gate)/.test(line))
  }
  const checked = ["ok", "bad", "unchecked"].map(
    (verdict, i) =>
      `swaptape_lane_checked_swaps_total{chain="solana",verdict="${verdict}"} ${[10, 2, 6][i]}`
  )
  expect(await figures()).toEqual([...checked, 'swaptape_lane_gate{chain="solana"} 1'])
  lane.respond = () => ({ ...INGEST, contradicted24h: 2 })
  expect(await figures()).toEqual([...checked, 'swaptape_lane_gate{chain="solana"} 0'])
})

it("does not pass for a log that no source goes on with", async () => {
  lane.state = { ...fresh, state: "history" }
  lane.unwell = { ok: true, state: "history", problem: null, part: null, sourceState: null }
  const { body } = await read()
  const told = ["no source reads the chain: this is a log as it stands"]
  expect([body.gate.pass, body.gate.reasons]).toEqual([false, told])
})

it("names why its tables could not be asked", async () => {
  lane.respond = () => refusal(503, "CHAIN_DATA_UNAVAILABLE", "the tables are busy")
  const { body } = await read()
  expect(body).toMatchObject({
    ...{ ok: true, genesisSlot: null },
    gate: { pass: false, at: null, reasons: ["the tables could not be asked: the tables are busy"] }
  })
})

it("does not pass while the chain is not read, or nothing is there to be asked", async () => {
  lane.unwell = {
    ...{ ok: false, state: "stalled", problem: "no node answers", part: "source" },
    sourceState: "retrying"
  }
  const stalled = await read()
  expect(stalled.body).toMatchObject({
    ...{ ok: false, problem: "no node answers" },
    gate: { pass: false, reasons: ["the chain is not read well: no node answers"] }
  })
  lane.unwell = null
  lane.state = { ...fresh, state: "starting", block: null, blockTime: null, seq: 0 }
  const starting = await read()
  expect(starting.body).toMatchObject({
    ...{ ok: false, cursor: null, blockAgeS: null, lagSlots: null },
    gate: { pass: false, at: null, reasons: ["the tables cannot be asked yet"] }
  })
})
