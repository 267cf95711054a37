/** Launches against a reckoning of their own, on any schedule of forks and commits. */

import { Effect } from "effect"
import { expect, it } from "vitest"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { digests, openStore } from "../../engine/store/store.ts"
import { hexIds } from "../../src/domain/ids.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Event } from "../../streams/event.ts"
import { expectedLaunches, LaunchScript, launchChain } from "../../test/support/launch-events.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { type Random, random, seed } from "../../test/support/seed.ts"
import { withUses } from "../all.ts"
import { tokens } from "../tokens/output.ts"
import { accountIn } from "./launcher-in.ts"
import { launchesOutput } from "./tables.ts"

const OWN = ["makings", "launches", "launchers"]

/** Folds a log, committing after some of its segments; what its tables hold and mean. */
const folded = (log: MemoryLog, commits: (segment: number) => boolean) =>
  Effect.gen(function* () {
    const folds = newFoldSet(launchChain, withUses(launchesOutput))
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    for (const [i, segment] of log.segments.entries()) {
      yield* applySegment(core, segment)
      if (commits(i)) yield* commitPending(core)
    }
    yield* commitPending(core)
    const { launches, makings } = folds.output(launchesOutput)
    const { token, first, listed } = launches.columns
    const { block, log_index, wallet, contract } = makings.columns
    const { address } = folds.output(tokens).columns()
    const at = (making: number): string | null =>
      making === NONE ? null : `${block[making]}:${log_index[making]}`
    const rows = Array.from({ length: launches.count }, (_, i) => {
      const [of, making] = [token[i] as number, first[i] as number]
      return {
        token: hexIds.account(address, of * 32),
        first: at(making),
        listed: at(listed[i] as number),
        wallet: making === NONE ? null : accountIn(hexIds, wallet, making),
        contract: making === NONE ? null : accountIn(hexIds, contract, making)
      }
    })
    const all = yield* digests(store.writer, folds.tables, false)
    return { rows, tables: all.filter(({ name }) => OWN.includes(name)) }
  }).pipe(Effect.scoped, Effect.runPromise)

/** A log with forks, and the blocks that stand in the end. */
const drawn = (r: Random) => {
  const script = new LaunchScript(r)
  const log = new MemoryLog()
  let standing: Array<{ readonly events: ReadonlyArray<Event>; readonly seq: number }> = []
  for (let step = 0; step < 24; step++) {
    const isFork = standing.length > 2 && r.boolean(0.25)
    const fromBlock = standing.length
    if (isFork) standing = standing.slice(0, -r.integer(1, Math.min(6, standing.length - 1)))
    const events = script.block(standing.length + 1, isFork ? `fork ${step}` : "main")
    const tip = standing.at(-1)
    const rollback = {
      ...{ kind: "Rollback", block: events[0]?.block, tx: null, logIndex: 0 },
      ...{ toSeq: tip?.seq, toBlock: standing.length, toHash: tip?.events[0]?.block.hash ?? null },
      ...{ fromBlock, reason: "reorg" }
    } as Event
    log.append(isFork ? [rollback, ...events] : events)
    standing.push({ events, seq: log.end.seq })
  }
  return { log, standing: standing.map(({ events }) => events) }
}

it("are those of the blocks that stand, whatever was rolled back and committed", async () => {
  console.log(`launches: SEED=${seed}`)
  let launched = 0
  let before = 0
  for (let round = 0; round < (process.env["SWAPTAPE_LONG"] === undefined ? 2 : 40); round++) {
    const r = random(`launches/${round}`)
    const { log, standing } = drawn(r)
    const fresh = new MemoryLog()
    for (const events of standing) fresh.append(events)
    const expected = expectedLaunches(standing.flat())
    const live = await folded(log, () => r.boolean())
    expect(live.rows, `round ${round}`).toEqual(expected)
    const again = await folded(fresh, () => false)
    expect(again.rows).toEqual(expected)
    expect(live.tables).toEqual(again.tables)
    expect((await folded(log, () => false)).tables).toEqual(again.tables)
    launched += expected.filter(({ first }) => first !== null).length
    before += expected.filter(({ first }) => first === null).length
  }
  expect(launched).toBeGreaterThan(3)
  expect(before).toBeGreaterThan(0)
})
