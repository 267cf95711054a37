import { expect, it } from "vitest"
import { caveatsOf } from "./caveats.js"

it("says in words what an answer cannot tell", () => {
  const unknown = [1, 2, 3, 4].map(day => ({ from: day * 86_400, to: day * 86_400 + 3600 }))
  const told = caveatsOf({
    ...{ unknown, warnings: ["young\u202e log"], incompleteBecause: ["gaps"], preliminary: true },
    ingestFloor: { minTradeUsd: 100 }
  })
  expect(told).toEqual([
    "Unknown: 1970-01-03 00:00 to 1970-01-03 01:00 UTC; 1970-01-04 00:00 to 1970-01-04 01:00 UTC; " +
      "1970-01-05 00:00 to 1970-01-05 01:00 UTC, and 1 earlier stretches. The index lacks these " +
      "blocks; sums, counts and zeros are of the rest.",
    "Incomplete: gaps",
    "Preliminary: a better answer may follow.",
    "Trades below $100 are not counted on this chain.",
    "young log"
  ])
  expect(caveatsOf({ unknown: [], incompleteBecause: null, ingestFloor: null })).toEqual([])
})
