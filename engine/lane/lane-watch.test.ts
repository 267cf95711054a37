import { describe, expect, it } from "vitest"
import type { SourceStatus } from "../../streams/source.ts"
import { NOW, source, status } from "../../test/support/well-lane.ts"
import { LaneWatch } from "./lane-watch.ts"
import type { LaneStatus } from "./status.ts"

describe("the watch over a lane", () => {
  const chain = { id: 8453, blockTimeMs: 2000 }
  const look = (watch: LaneWatch, of = status) => watch.health(of, chain, NOW)
  const pass = (watch: LaneWatch, ms: number, of = status) => {
    for (let passed = 0; passed < ms; passed += 500) watch.tick(500, of, chain, NOW)
  }
  /** What is in trouble after so long in which all parts are heard of. */
  const partAfter = (watch: LaneWatch, ms: number, now: LaneStatus) => {
    for (let passed = 0; passed < ms; passed += 500) {
      pass(watch, 500, now)
      watch.lanePulse(0)
      watch.sourcePulse()
    }
    return look(watch, now).part
  }

  it("counts silence in ticks, each for a second at most", () => {
    const watch = new LaneWatch()
    watch.lanePulse(0)
    watch.sourcePulse()
    for (let i = 0; i < 3; i++) watch.tick(60_000, status, chain, NOW)
    expect(look(watch).ok).toBe(true)
    pass(watch, 500)
    expect(look(watch)).toMatchObject({ ok: false, part: "lane" })
    watch.lanePulse(0)
    expect(look(watch)).toMatchObject({ ok: false, part: "source" })
    watch.sourcePulse()
    expect(look(watch).ok).toBe(true)
  })

  it("counts for how long blocks that are there were not read, until one is", () => {
    const watch = new LaneWatch()
    const at = (headBlock: number, emittedBlock: number) => ({
      ...status,
      source: { ...source, headBlock, emittedBlock }
    })
    expect(partAfter(watch, 5000, at(103, 103))).toBeNull()
    expect(partAfter(watch, 4000, at(105, 103))).toBeNull()
    expect(partAfter(watch, 500, at(105, 103))).toBe("source")
    expect(partAfter(watch, 500, at(106, 104))).toBeNull()
    // one after the other, however far behind
    for (let block = 105; block < 120; block++) {
      expect(partAfter(watch, 2000, at(200, block))).toBeNull()
    }
  })

  it("counts for how long a block has been the newest, whatever its time", () => {
    const watch = new LaneWatch()
    const at = (block: number) => ({ ...status, block, blockTime: NOW / 1000 + 40 })
    for (let block = 103; block < 108; block++) {
      expect(partAfter(watch, 20_000, at(block))).toBeNull()
    }
    expect(partAfter(watch, 1000, at(107))).toBe("chain")
    expect(partAfter(watch, 500, at(108))).toBeNull()
  })

  it("counts from the head that a new source is told, not from that of the one before", () => {
    const watch = new LaneWatch()
    const old = { ...status, blockTime: NOW / 1000 - 47, block: 103 }
    const told = (headToldMs: number | null) => ({ ...old, source: { ...source, headToldMs } })
    expect(partAfter(watch, 6000, told(NOW - 10_000))).toBe("chain")
    watch.sourceStarted()
    expect(partAfter(watch, 6000, told(NOW - 10_000))).toBeNull()
    expect(partAfter(watch, 6000, told(null))).toBeNull()
    expect(partAfter(watch, 4500, told(NOW - 1000))).toBeNull()
    expect(partAfter(watch, 1000, told(NOW))).toBe("chain")
  })

  it("calls nothing well between a question that nobody answered and the next", () => {
    const watch = new LaneWatch()
    const of = (change: Partial<SourceStatus>) => ({ ...status, source: { ...source, ...change } })
    const waitingSinceMs = NOW - 3000
    expect(partAfter(watch, 3000, of({ waitingSinceMs }))).toBe("source")
    expect(partAfter(watch, 500, of({ state: "retrying", problem: "no answer" }))).toBe("source")
    expect(partAfter(watch, 500, of({ state: "retrying", waitingSinceMs: NOW }))).toBe("source")
    expect(partAfter(watch, 500, status)).toBeNull()
    expect(partAfter(watch, 500, of({ state: "retrying" }))).toBeNull()
  })

  it("takes blocks that were missing before it began for missing", () => {
    const gaps = [{ fromBlock: 98, toBlock: 98, reason: "differ" }]
    const watch = new LaneWatch()
    // nothing is known yet
    expect(partAfter(watch, 500, { ...status, assurance: null })).toBeNull()
    expect(partAfter(watch, 500, { ...status, gaps })).toBe("source")
    expect(partAfter(watch, 500, status)).toBeNull()
    expect(partAfter(watch, 500, { ...status, gaps })).toBeNull()
  })

  it("takes blocks that are found missing during trouble for a part of it", () => {
    const gaps = [{ fromBlock: 98, toBlock: 98, reason: "differ" }]
    const unread = { ...status, source: { ...source, headBlock: 105, emittedBlock: 103 } }
    const read = { ...unread, source: { ...unread.source, emittedBlock: 104 } }
    const watch = new LaneWatch()
    expect(partAfter(watch, 500, status)).toBeNull()
    expect(partAfter(watch, 5000, unread)).toBe("source")
    expect(partAfter(watch, 500, { ...read, gaps })).toBe("source")
    expect(partAfter(watch, 500, read)).toBeNull()
    expect(partAfter(watch, 500, { ...read, gaps })).toBeNull()
  })

  it("gives a new thread time to load", () => {
    const watch = new LaneWatch()
    watch.laneStarted()
    watch.sourceStarted()
    pass(watch, 20_000)
    expect(look(watch).ok).toBe(true)
    pass(watch, 3500)
    expect(look(watch)).toMatchObject({ ok: false, part: "lane" })
  })

  it("holds a death until the next source has added to the log, or lived for half a minute", () => {
    const watch = new LaneWatch()
    const at = (seq: number) => ({ ...status, logSeq: seq, seq })
    const live = (ms: number, seq: number) => {
      for (let passed = 0; passed < ms; passed += 500) {
        watch.lanePulse(0)
        watch.sourcePulse()
        pass(watch, 500, at(seq))
      }
    }
    watch.sourceDied("refused")
    watch.sourceStarted()
    live(2500, 10)
    expect(look(watch)).toMatchObject({ ok: false, problem: "refused", sourceState: "failed" })
    expect(watch.shown(source)).toMatchObject({ state: "failed", problem: "refused" })
    live(500, 11)
    expect(look(watch).ok).toBe(true)
    expect(watch.shown(source)).toEqual(source)
    watch.sourceDied("refused again")
    watch.sourceStarted()
    live(30_000, 11)
    expect(look(watch)).toMatchObject({ ok: false, problem: "refused again" })
    live(500, 11)
    expect(look(watch).ok).toBe(true)
  })

  it("takes what a dead source added last, heard of late, for no sign of the next", () => {
    const watch = new LaneWatch()
    const dead = (seq: number) => {
      watch.lanePulse(0)
      watch.sourcePulse()
      pass(watch, 500, { ...status, logSeq: seq, seq })
      expect(look(watch)).toMatchObject({ ok: false, problem: "refused" })
    }
    watch.sourceDied("refused")
    for (const seq of [10, 11, 11]) dead(seq)
    watch.sourceStarted()
    for (const seq of [12, 12, 13, 13, 13]) dead(seq)
  })
})
