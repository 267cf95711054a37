import { expect, it } from "vitest"
import { EndpointHealth } from "../../streams/endpoints/endpoint-health.ts"
import type { SourceStatus } from "../../streams/source.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { Totals } from "./lane-totals.ts"

const { state } = new FakeLane(chainConfig(8453, "base"))
const source = state.source as SourceStatus

it("counts what grew, through rollbacks of the tables", () => {
  const totals = new Totals()
  const reason = "short data"
  const known = { ...state, assurance: "proven" } as const
  for (const [events, count] of [
    [100, 2],
    [90, 1],
    [130, 3]
  ] as const) {
    totals.seeLane({ ...known, events, swaps: events / 10, quarantined: [{ reason, count }] })
  }
  expect(totals.read()).toMatchObject({
    events: 140,
    swaps: 14,
    quarantined: [{ reason, count: 4 }]
  })
})

it("counts nothing twice where tables do not tell for a while, as of a lane that starts again", () => {
  const totals = new Totals()
  const told = { ...state, assurance: "proven", events: 100, swaps: 10 } as const
  totals.seeLane(told)
  totals.seeLane({ ...told, assurance: null, events: 0, swaps: 0 })
  totals.seeLane(told)
  expect(totals.read()).toMatchObject({ events: 100, swaps: 10 })
})

it("counts swaps by what vaults say; null where none does", () => {
  const totals = new Totals()
  const venue = { events: 0, swaps: 0, noParent: 0, otherEvents: 0 }
  totals.seeSource(source)
  expect(totals.read().checked).toBeNull()
  totals.seeSource({
    ...source,
    decode: {
      ...{ untold: 0, orphaned: 0, auditCursor: null },
      venues: [1, 2].map(number => ({ ...venue, number, ok: 3, bad: 1, unchecked: 2 }))
    }
  })
  expect(totals.read().checked).toEqual({ ok: 6, bad: 2, unchecked: 4 })
})

it("adds up what one node was asked in two ways", () => {
  const totals = new Totals()
  const ways = [new EndpointHealth("node:1"), new EndpointHealth("node:1")]
  const see = () =>
    totals.seeSource({
      ...{ ...source, retries: 0, reorgs: 0 },
      endpoints: ways.map(health => health.status(null, 1000, true, 0))
    })
  for (let i = 0; i < 5; i++) ways[0]?.asked("eth_call", true)
  see()
  ways[1]?.asked("eth_call", false)
  for (let i = 0; i < 3; i++) see()
  expect(totals.read().calls).toEqual([
    { endpoint: "node:1", method: "eth_call", calls: 6, errors: 1 }
  ])
})
