/** What a status tells of a source that was started again. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { EndpointHealth } from "../../streams/endpoints/endpoint-health.ts"
import type { SourceStatus } from "../../streams/source.ts"
import { chainConfig } from "../../test/support/fake-lanes.ts"
import { source } from "../../test/support/well-lane.ts"
import { makeLaneClient } from "./lane-client.ts"
import { sinceStart } from "./source-run.ts"

const endpoint = (calls: number, errors: number) => {
  const health = new EndpointHealth("node:1")
  for (let i = 0; i < calls; i++) {
    health.asked("getBlock", i >= errors)
    if (i < errors) health.failed("refused")
    else health.succeeded()
  }
  return health.status(null, 1000, true, 0)
}

const decode = (swaps: number, auditCursor: number | null) => ({
  venues: [1, 2].map(number => ({
    ...{ number, events: 0, swaps, ok: swaps - 1, bad: 1, unchecked: 0, noParent: 0 },
    otherEvents: 0
  })),
  ...{ untold: 1, orphaned: 2, auditCursor }
})

const told = (change: Partial<SourceStatus>): SourceStatus => ({
  ...{ ...source, emittedBlock: 103, logs: 5, retries: 1, reorgs: 1, lastReorgDepth: 2 },
  ...{ lastReorgRecoveryMs: 9, grades: { second: 3 }, endpoints: [endpoint(10, 1)] },
  ...change
})

it("goes on from what the source before it counted, through two starts", () => {
  const first = told({ decode: decode(4, 77) })
  const fresh = told({
    ...{ decode: null, lastReorgDepth: null, lastReorgRecoveryMs: null, grades: {} },
    endpoints: [endpoint(0, 0)]
  })
  const begun = sinceStart(first, fresh)
  expect(begun).toMatchObject({ lastReorgDepth: 2, lastReorgRecoveryMs: 9, grades: { second: 3 } })
  expect(begun.decode).toEqual(decode(4, 77))
  const later = { ...fresh, grades: { second: 1, word: 2 }, endpoints: [endpoint(12, 0)] }
  const second = sinceStart(first, { ...later, decode: decode(3, null) })
  expect(second).toMatchObject({ logs: 10, retries: 2, reorgs: 2, grades: { second: 4, word: 2 } })
  expect(second.decode).toMatchObject({
    venues: [
      { number: 1, swaps: 7, ok: 5, bad: 2 },
      { number: 2, swaps: 7, ok: 5, bad: 2 }
    ],
    ...{ untold: 2, orphaned: 4, auditCursor: 77 }
  })
  expect(second.endpoints).toMatchObject([
    { calls: 22, errors: 1, methods: [{ method: "getBlock", calls: 22, errors: 1 }] }
  ])
  expect(sinceStart(second, later).endpoints).toMatchObject([{ calls: 34, errors: 1 }])
})

it("warns of what the source before it warned of, until its block", () => {
  const warning = (untilBlock: number) => ({
    ...{ text: `until ${untilBlock}`, untilBlock, kind: null }
  })
  const first = told({
    warned: [warning(110), warning(120)],
    // which endpoints differ now, the next one finds out
    warnings: ["until 110", "until 120", "two chains"]
  })
  const none = { warned: [], warnings: [] }
  const fresh = told({ emittedBlock: null, ...none })
  expect(sinceStart(first, fresh).warnings).toEqual(["until 110", "until 120"])
  const later = told({ emittedBlock: 110, warned: [warning(130)], warnings: ["until 130", "two"] })
  expect(sinceStart(sinceStart(first, fresh), later)).toMatchObject({
    warnings: ["until 120", "until 130", "two"],
    warned: [warning(120), warning(130)]
  })
})

it("is what the status of a lane tells, whatever became of its source", () => {
  const client = Effect.runSync(makeLaneClient(chainConfig(8453, "base")))
  for (let start = 0; start < 3; start++) {
    client.attachSource(() => undefined)
    client.setSource(told({ retries: 1 }))
    client.setSource(told({ retries: 2 }))
    client.sourceLost("out of order", "solana-rpc")
  }
  expect(client.status().source).toMatchObject({ logs: 15, grades: { second: 9 }, state: "failed" })
  expect(client.totals()).toMatchObject({ retries: 6, reorgs: 3 })
})
