import { expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { effectiveRanges, isEffective, type RollbackFacts } from "./effective.ts"

it("keeps everything where nothing is rolled back", () => {
  const segments = [
    { firstSeq: 1, lastSeq: 5, rollbackTo: null },
    { firstSeq: 6, lastSeq: 6, rollbackTo: null }
  ]
  expect(effectiveRanges(segments)).toEqual([{ from: 1, to: 6 }])
  expect(effectiveRanges([])).toEqual([])
})

it("cancels what follows the seq of a Rollback, and the Rollback itself", () => {
  const segments = [
    { firstSeq: 1, lastSeq: 10, rollbackTo: null },
    { firstSeq: 11, lastSeq: 15, rollbackTo: 7 },
    { firstSeq: 16, lastSeq: 16, rollbackTo: 13 },
    { firstSeq: 17, lastSeq: 20, rollbackTo: null }
  ]
  const ranges = effectiveRanges(segments)
  expect(ranges).toEqual([
    { from: 1, to: 7 },
    { from: 12, to: 13 },
    { from: 17, to: 20 }
  ])
  const effective = Array.from({ length: 22 }, (_, seq) => seq).filter(s => isEffective(ranges, s))
  expect(effective).toEqual([1, 2, 3, 4, 5, 6, 7, 12, 13, 17, 18, 19, 20])
  expect(effectiveRanges([...segments, { firstSeq: 21, lastSeq: 22, rollbackTo: 0 }])).toEqual([
    { from: 22, to: 22 }
  ])
})

it("agrees with a list from which cancelled seqs are removed", () => {
  const r = random("effective ranges")
  for (let run = 0; run < 200; run++) {
    const segments: Array<RollbackFacts> = []
    let kept: Array<number> = []
    let seq = 0
    for (let step = 0; step < 30; step++) {
      const firstSeq = seq + 1
      const lastSeq = seq + r.integer(1, 6)
      const rollbackTo =
        seq > 0 && r.boolean(0.3) ? (kept[r.integer(-1, kept.length - 1)] ?? 0) : null
      segments.push({ firstSeq, lastSeq, rollbackTo })
      if (rollbackTo !== null) kept = kept.filter(one => one <= rollbackTo)
      for (seq = firstSeq; seq <= lastSeq; seq++) {
        if (rollbackTo === null || seq > firstSeq) kept.push(seq)
      }
      seq = lastSeq
    }
    const ranges = effectiveRanges(segments)
    const listed = ranges.flatMap(({ from, to }) =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i)
    )
    expect(listed).toEqual(kept)
    for (let i = 1; i < ranges.length; i++) {
      expect(ranges[i]!.from).toBeGreaterThan(ranges[i - 1]!.to + 1)
    }
  }
})
