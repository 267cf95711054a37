import { describe, expect, it } from "vitest"
import type { EndpointStatus, HistoryStatus, SourceStatus } from "../../streams/source.ts"
import { NOW, ofLane, ofSource, source, status, well } from "../../test/support/well-lane.ts"
import { retoldReason } from "../late/gap-words.ts"
import { healthOf, isStale, type LaneFacts, staleAfterMs } from "./lane-health.ts"
import { LaneWatch } from "./lane-watch.ts"
import { withSourceWords } from "./source-words.ts"
import type { LaneStatus } from "./status.ts"

describe("the health of a lane", () => {
  it("is well while everything is heard of and the newest block is fresh", () => {
    expect(healthOf(well)).toEqual({
      ...{ ok: true, state: "live", problem: null, part: null, sourceState: "live" }
    })
  })

  const troubles: ReadonlyArray<readonly [string, LaneFacts, string, string]> = [
    [
      "a lane that failed",
      ofLane({ state: "failed", problem: "the log of base is broken at message 3" }),
      "lane",
      "the log of base is broken at message 3"
    ],
    [
      "a silent thread of the lane",
      { ...well, laneSilentMs: 4000 },
      "lane",
      "the lane's thread has not been heard of for 4 s: it hangs, or the machine is overloaded; restart swaptape if this lasts"
    ],
    [
      "a silent thread of the tables",
      { ...well, tablesSilentMs: 3500 },
      "tables",
      "the thread of the tables (DuckDB) has not answered for 4 s; restart swaptape if this lasts"
    ],
    [
      "events that nobody folds",
      { ...ofLane({ seq: 5, logSeq: 12 }), stuckMs: 5000 },
      "lane",
      "7 events of the log have waited for 5 s to be put into the tables"
    ],
    [
      "a silent server of the log",
      { ...well, serverSilentMs: 3100 },
      "log-server",
      "the server of the log (nats-server) has not answered for 3 s; nothing new can be written or read until it does"
    ],
    [
      "a source that died",
      { ...well, sourceFailure: "a batch was refused" },
      "source",
      "a batch was refused"
    ],
    [
      "a silent thread of the source",
      { ...well, sourceSilentMs: 5000 },
      "source",
      "the source's thread has not been heard of for 5 s: it hangs, or the machine is overloaded"
    ],
    [
      "a source that stopped for good",
      ofSource({ state: "stopped", problem: "node:1 serves chain 5, not chain 8453" }),
      "source",
      "node:1 serves chain 5, not chain 8453"
    ],
    [
      "a source that has failed for a while",
      { ...ofSource({ state: "retrying", problem: "node:1: refused" }), sourceTroubleMs: 3500 },
      "source",
      "the chain cannot be read: node:1: refused; check RPC_8453 and that the node runs; it is asked again until it answers"
    ],
    [
      "a source that failed, and does not hear anything of its next try",
      {
        ...ofSource({ state: "retrying", problem: "node:1: refused", waitingSinceMs: NOW - 4000 }),
        sourceTroubleMs: 9000
      },
      "source",
      "the chain cannot be read: node:1: refused; asked again, it has not answered for 4 s; check RPC_8453 and that the node runs; it is asked again until it answers"
    ],
    [
      "a log that has no room for what is read",
      {
        ...ofSource({ state: "blocked", problem: "no room on disk: free some" }),
        sourceTroubleMs: 2500
      },
      "log-server",
      "no room on disk: free some"
    ],
    [
      "a node that does not answer",
      ofSource({ waitingSinceMs: NOW - 4000 }),
      "source",
      "node:1 has not answered for 4 s; check RPC_8453 and that the node runs; it is asked again until it answers"
    ],
    [
      "a node that does not answer beside one that is not asked",
      ofSource({
        waitingSinceMs: NOW - 4000,
        endpoints: [
          { endpoint: "node:1", state: "in-use" } as EndpointStatus,
          { endpoint: "node:2", state: "resting" } as EndpointStatus
        ]
      }),
      "source",
      "node:1 has not answered for 4 s; check RPC_8453 and that the node runs; it is asked again until it answers"
    ],
    [
      "a block that is not proven",
      { ...ofLane({ gaps: [{ fromBlock: 98, toBlock: 98, reason: "differ" }] }), gapMs: 3000 },
      "source",
      "block 98 is missing: what endpoints tell of it is not proven (differ); it is asked for again; an endpoint in RPC_8453 that has its receipts would prove it"
    ],
    [
      "a block of Solana of which two endpoints differ",
      {
        ...ofLane({ gaps: [{ fromBlock: 98, toBlock: 98, reason: "they differ" }] }),
        ...{ gapMs: 3000, chain: { id: 0, family: "solana" } }
      },
      "source",
      "block 98 is missing: what endpoints tell of it is not proven (they differ); it is asked for again; one more endpoint in RPC_SOLANA would decide which of them is right"
    ],
    [
      "a block that is asked for again",
      {
        ...ofLane({
          gaps: [{ fromBlock: 98, toBlock: 98, reason: "they differed" }],
          source: {
            ...source,
            repairs: {
              ...{ open: 1, filled: 0, tries: 3, problem: "they hang" },
              lastTry: { fromBlock: 98, toBlock: 98, atMs: NOW - 4000, problem: "they hang" }
            }
          }
        }),
        gapMs: 3000
      },
      "source",
      "block 98 is missing: what endpoints told of it was not proven (they differed); block 98 asked for again 4 s ago: they hang; an endpoint in RPC_8453 that has its receipts would prove it"
    ],
    [
      "blocks that are not proven",
      {
        ...ofLane({
          gaps: [
            { fromBlock: 90, toBlock: 91, reason: "differ" },
            { fromBlock: 98, toBlock: 98, reason: "differ" }
          ]
        }),
        gapMs: 3000
      },
      "source",
      "3 blocks are missing, the first of them 90: what endpoints tell of it is not proven (differ); it is asked for again; an endpoint in RPC_8453 that has its receipts would prove it"
    ],
    [
      "blocks that were told with other times",
      {
        ...ofLane({
          gaps: [{ fromBlock: 90, toBlock: 92, reason: retoldReason("times") }]
        }),
        gapMs: 3000
      },
      "source",
      "3 blocks may have wrong times, the first of them 90: what endpoints tell of it is not proven (other times were told of some of them first); it is asked for again; an endpoint in RPC_8453 that has its receipts would prove it"
    ],
    [
      "blocks that are missing, and some told with other times",
      {
        ...ofLane({
          gaps: [
            { fromBlock: 90, toBlock: 90, reason: "differ" },
            { fromBlock: 91, toBlock: 91, reason: retoldReason("times") }
          ]
        }),
        gapMs: 3000
      },
      "source",
      "2 blocks are missing or told wrong, the first of them 90: what endpoints tell of it is not proven (differ); it is asked for again; an endpoint in RPC_8453 that has its receipts would prove it"
    ],
    [
      "a chain without a new block",
      ofLane({ blockTime: NOW / 1000 - 21, block: 103 }),
      "chain",
      "the newest block is 21 s old, where a block is expected every 2 s: the chain stands still, or a simulated market has lost it"
    ],
    [
      "a chain without a new block, by a clock that is behind",
      { ...ofLane({ blockTime: NOW / 1000 + 40, block: 103 }), blockStillMs: 20_500 },
      "chain",
      "no block after 103 has come for 21 s, where a block is expected every 2 s: the chain stands still, or a simulated market has lost it"
    ],
    [
      "a newest block that is yet to come",
      ofLane({ blockTime: NOW / 1000 + 3600 }),
      "chain",
      "the newest block is 60 min ahead of this machine's clock: set the clock right, or a simulated market told a wrong time, and another endpoint in RPC_8453 would show it"
    ],
    [
      "blocks that are there and not read",
      ofLane({ blockTime: NOW / 1000 - 21, block: 50 }),
      "chain",
      "the newest block here is 21 s old, and 53 more are there to be read"
    ],
    [
      "a node that tells of blocks which it contradicts",
      {
        ...ofSource({
          ...{ headBlock: 104, emittedBlock: 103 },
          // the other is not asked any more, and its problem may be an old one
          endpoints: [
            { endpoint: "node:2", state: "resting", problem: "refused" } as EndpointStatus,
            { endpoint: "node:1", state: "in-use", problem: "false hashes" } as EndpointStatus
          ]
        }),
        unreadMs: 4500
      },
      "source",
      "block 104 is there, and none after 103 could be read for 5 s: false hashes; check RPC_8453 and that the node runs; it is asked again until it answers"
    ],
    [
      "blocks of which no answer fits, where another endpoint failed long ago",
      {
        ...ofSource({
          ...{ headBlock: 104, emittedBlock: 103, unfit: "slot 104 is of a chain of its own" },
          endpoints: [{ endpoint: "node:2", state: "ready", problem: "late" } as EndpointStatus]
        }),
        unreadMs: 4500
      },
      "source",
      "block 104 is there, and none after 103 could be read for 5 s: slot 104 is of a chain of its own; check RPC_8453 and that the node runs; it is asked again until it answers"
    ],
    [
      "old data of a source that could not ask until now",
      { ...ofLane({ blockTime: NOW / 1000 - 61, block: 103 }), sourceCalmMs: 1000 },
      "chain",
      "the newest block here is 61 s old: newer ones are being asked for"
    ]
  ]
  it.each(troubles)("is not well with %s", (_, facts, part, problem) => {
    const state = facts.status.state === "failed" ? "failed" : "stalled"
    expect(healthOf(facts)).toMatchObject({ ok: false, state, part, problem })
  })

  it("tells a failure of the moment from trouble, and slow history from silence", () => {
    const moment = { ...ofSource({ state: "retrying", problem: "reset" }), sourceTroubleMs: 1000 }
    expect(healthOf(moment).ok).toBe(true)
    // what waited was committed since time was looked at
    expect(healthOf({ ...well, stuckMs: 5000 }).ok).toBe(true)
    const history = ofSource({ state: "backfill", waitingSinceMs: NOW - 9000 })
    const reading = "the chain's history is being read: block 100 of 103"
    expect(healthOf(history)).toMatchObject({ ok: false, part: null, problem: reading })
    const hanging = ofSource({ state: "backfill", waitingSinceMs: NOW - 11_000 })
    expect(healthOf(hanging)).toMatchObject({ ok: false, part: "source" })
  })

  it("tells blocks that are missing from those that are proven soon, or told as history", () => {
    const gaps = [{ fromBlock: 98, toBlock: 98, reason: "differ" }]
    expect(healthOf({ ...ofLane({ gaps }), gapMs: 2000 }).ok).toBe(true)
    const history = [{ fromBlock: 1, toBlock: 50, reason: "backfill" }]
    expect(healthOf({ ...ofLane({ gaps: history }), gapMs: 9000 }).ok).toBe(true)
    expect(healthOf({ ...ofLane({ gaps, block: 98 + 43_200 }), gapMs: 9000 }).ok).toBe(true)
    const ended = { ...source, state: "ended" } as const
    expect(healthOf({ ...ofLane({ gaps, source: ended }), gapMs: 9000 }).ok).toBe(true)
    const [watch, missing] = [new LaneWatch(), { ...status, gaps }]
    const chain = { id: 8453, blockTimeMs: 2000 }
    watch.tick(500, status, chain, NOW)
    const partAfter = (now: LaneStatus, ticks: number) => {
      for (let i = 0; i < ticks; i++) watch.tick(500, now, chain, NOW)
      watch.lanePulse(0)
      watch.sourcePulse()
      return watch.health(now, chain, NOW).part
    }
    expect(partAfter(missing, 5)).toBeNull()
    expect(partAfter(missing, 1)).toBe("source")
    expect(partAfter(status, 1)).toBeNull()
    expect(partAfter(missing, 5)).toBeNull()
  })

  it("claims nothing of a branch that as many endpoints tell otherwise", () => {
    const problem = "A and B tell different chains"
    expect(healthOf(ofLane({ source: { ...source, disputed: problem } }))).toMatchObject({
      ...{ ok: false, state: "stalled", part: "source", problem }
    })
  })

  it("tells history that nobody can read as missing, with its reason", () => {
    const reason = "block 80: the bloom shows logs that are missing"
    const unread = [{ fromBlock: 5, toBlock: 80, reason }]
    const history: HistoryStatus = {
      ...{ order: "newest", state: "reading", fromBlock: 1, toBlock: 90, doneBlocks: 10 },
      ...{ totalBlocks: 90, blocksPerSecond: null, etaSeconds: null, problem: null, unread }
    }
    const told = { ...status, source: { ...source, history } }
    const gaps = [{ fromBlock: 1, toBlock: 60, reason: "backfill" }]
    const shown = withSourceWords({ ...told, gaps, warnings: ["one"] }, { id: 8453 })
    // what was put into the log since is none
    expect(shown.gaps).toEqual([
      { fromBlock: 1, toBlock: 4, reason: "backfill" },
      { fromBlock: 5, toBlock: 60, reason }
    ])
    expect(shown.warnings).toEqual([
      "one",
      `blocks 5..60 of the history cannot be read: ${reason}. They are gaps until an endpoint has ` +
        "them, and asked for again: an endpoint in RPC_8453 that keeps all logs and receipts (an " +
        "archive node) would have them"
    ])
    expect(healthOf({ ...well, status: shown, gapMs: 3000 })).toMatchObject({
      ok: false,
      problem: expect.stringContaining(`56 blocks are missing, the first of them 5: `)
    })
    expect(withSourceWords({ ...told, gaps: [] }, { id: 8453 })).toMatchObject({
      gaps: [],
      warnings: []
    })
  })

  it("claims nothing of a lane that only begins, and calls it no trouble", () => {
    expect(healthOf(ofLane({ state: "rebuilding" }))).toMatchObject({
      ...{ ok: false, state: "rebuilding", part: null },
      problem: "the tables are being built from the log"
    })
    expect(healthOf(ofLane({ block: null, blockTime: null }))).toMatchObject({
      ...{ ok: false, state: "live", part: null },
      problem: "nothing of the chain has been read yet"
    })
    const begun = { ok: false, state: "live", part: null }
    expect(healthOf(ofLane({ source: null }))).toMatchObject(begun)
    const problem = "what the tables lack is being looked up"
    expect(healthOf(ofLane({ assurance: null }))).toMatchObject({ ...begun, problem })
    const history = ofLane({ state: "history", assurance: null })
    expect(healthOf(history)).toMatchObject({ ...begun, state: "history", problem })
  })

  it("claims nothing while the chain has more newer blocks than the last moments'", () => {
    // a head of 103, a block every 2 s
    expect(healthOf(ofLane({ block: 99 })).ok).toBe(true)
    expect(healthOf(ofLane({ block: 98 }))).toMatchObject({
      ...{ ok: false, state: "live", part: null },
      problem: "the lane is catching up with the chain: block 98 of 103"
    })
    // of a faster chain as many are a moment's
    expect(healthOf({ ...ofLane({ block: 98 }), blockTimeMs: 400 }).ok).toBe(true)
  })

  it("calls a source no trouble that still reads what came before it began", () => {
    const behind = ofLane({ blockTime: NOW / 1000 - 660, block: 50 })
    const problem = "the lane is catching up with the chain: block 50 of 103"
    const shown = { ok: false, state: "live", part: null, sourceState: "live", problem }
    expect(healthOf({ ...behind, sourceLivedMs: 20_000 })).toEqual(shown)
    // the source's own word on the head is older than what the tables have
    const reading = ofSource({ state: "backfill" })
    const past = { ...reading, status: { ...reading.status, block: 104 } }
    const of104 = "the chain's history is being read: block 104 of 104"
    expect(healthOf({ ...past, sourceLivedMs: 20_000 }).problem).toBe(of104)
    expect(healthOf({ ...behind, sourceLivedMs: 61_000 }).part).toBe("chain")
    const old = ofLane({ blockTime: NOW / 1000 - 47, block: 103 })
    const knowing = (headKnownMs: number) =>
      healthOf({ ...old, sourceLivedMs: headKnownMs + 20_000, headKnownMs })
    const asked = "the newest block here is 47 s old: newer ones are being asked for"
    expect(knowing(4900)).toMatchObject({ ok: false, state: "live", part: null, problem: asked })
    expect(knowing(5100).part).toBe("chain")
  })

  it("blames a chain only for a head that was old when it was told", () => {
    const old = ofLane({ blockTime: NOW / 1000 - 47, block: 103 })
    const told = (change: Partial<SourceStatus>) =>
      healthOf({ ...old, status: { ...old.status, source: { ...source, ...change } } }).problem
    const asked = "the newest block here is 47 s old: newer ones are being asked for"
    expect(told({ headToldMs: NOW - 47_000 + 20_000 })).toBe(asked)
    expect(told({ headToldMs: NOW - 47_000 + 20_001 })).toContain("the chain stands still, or ")
    expect(told({ headBlock: 104 })).toBe(
      "the newest block here is 47 s old, and 1 more is there to be read"
    )
    expect(told({ headBlock: null, headToldMs: null })).toBe(
      "the newest block here is 47 s old, and the chain's is being asked for"
    )
  })

  it("does not call a source live that hangs", () => {
    const still = { ...ofSource({ state: "retrying", problem: null }), unreadMs: 8000 }
    const hung = [ofSource({ waitingSinceMs: NOW - 3000 }), still].map(healthOf)
    expect(hung).toMatchObject([{ sourceState: "retrying" }, { part: "source" }])
    const old = ofLane({ blockTime: NOW / 1000 - 21 })
    expect(healthOf(old)).toMatchObject({ part: "chain", sourceState: "live" })
  })

  it("calls data stale by how often the chain has a block", () => {
    expect([250, 2000, 12_000].map(staleAfterMs)).toEqual([15_000, 20_000, 120_000])
    expect(isStale(NOW / 1000 - 119, 12_000, NOW)).toBe(false)
    expect(isStale(NOW / 1000 - 121, 12_000, NOW)).toBe(true)
    expect(isStale(null, 12_000, NOW)).toBe(true)
  })
})
