import { Effect } from "effect"
import { expect, it } from "vitest"
import { wordWarning } from "../../engine/late/word-runs.ts"
import type { Event } from "../../streams/event.ts"
import { openSmallLane, sealed, undo } from "../../test/support/small-lane.ts"

const START = 1_699_930_800

const known = (block: number, grade: string): Event =>
  ({ ...sealed(START + block), grade }) as Event

/** What is told of the words after each commit. */
const read = (commits: ReadonlyArray<ReadonlyArray<Event>>) =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const told: Array<unknown> = []
    for (const events of commits) {
      yield* lane.commit(events)
      const { assurance, words } = yield* lane.ask("counters", {})
      told.push({ assurance, words })
    }
    return told
  }).pipe(Effect.scoped, Effect.runPromise)

const run = (grade: string, from: number, to: number, blocks: number) => ({
  ...{ grade, fromBlock: START + from, toBlock: START + to, blocks }
})

it("tells which blocks are somebody's word, and no more of them after a rollback", async () => {
  const told = await read([
    [known(1, "root"), known(2, "bloom"), known(3, "unproven")],
    [known(4, "second"), known(5, "root")],
    [known(10, "logs"), known(20, "root"), known(30, "logs"), known(95, "logs")],
    [undo(START + 10, 6), known(11, "root"), known(12, "logs"), known(90, "range")],
    [undo(START + 3, 3), known(4, "root")]
  ])
  const compared = run("second", 4, 4, 1)
  expect(told).toEqual([
    { assurance: "proven", words: [] },
    { assurance: "compared", words: [compared] },
    { assurance: "word", words: [compared, run("logs", 10, 30, 2), run("logs", 95, 95, 1)] },
    { assurance: "word", words: [compared, run("logs", 10, 12, 2), run("range", 90, 90, 1)] },
    { assurance: "proven", words: [] }
  ])
})

it("warns of one node's word from its first block on, and not of a file's", () => {
  expect(wordWarning([run("second", 1, 9, 9), run("file", 1, 9, 9)])).toEqual([])
  const [text] = wordWarning([run("second", 0, 0, 1), run("logs", 7, 7, 1)])
  expect(text).toContain(`1 block, ${START + 7}, is one node's word`)
  const [many] = wordWarning([run("range", 3, 5, 2), run("logs", 7, 7, 1)])
  expect(many).toContain(`3 blocks of ${START + 3}..${START + 7} are one node's word`)
})
