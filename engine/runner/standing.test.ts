import { Effect } from "effect"
import { expect, it } from "vitest"
import type { Commit } from "../store/store.ts"
import { Signal } from "./signal.ts"
import { letLook, Standing, type Wanted, whenStanding } from "./standing.ts"

const at = (seq: number): Commit => ({
  ...{ seq, streamSeq: seq, hash: "" },
  block: 0,
  blockTime: 0
})

/** What is committed at 4, and folded and sealed up to 9. */
const sealed = (): Standing => {
  const standing = new Standing(at(4), new Signal())
  standing.foldingTo(at(9))
  standing.foldingEnded()
  standing.commitBegan(at(9))
  return standing
}

/** Whoever waited for one of these, and where the tables stood when he looked. */
const waitingFor = (standing: Standing, ...all: ReadonlyArray<Wanted>): ReadonlyArray<unknown> => {
  const seen: Array<unknown> = []
  for (const wanted of all) {
    Effect.runFork(whenStanding(standing, wanted, ({ seq }) => seen.push([wanted, seq])))
  }
  return seen
}

it("tells a commit once it is durable, or before where asked to", async () => {
  const standing = sealed()
  expect(standing.told.seq).toBe(4)
  standing.sealedTold()
  expect(standing.told.seq).toBe(9)
  const seen = waitingFor(standing, standing.told.seq)
  expect(seen).toEqual([])
  standing.commitEnded()
  expect([standing.told.seq, standing.committed.seq]).toEqual([9, 9])
  await Effect.runPromise(letLook(standing))
  expect(seen).toEqual([[9, 9]])
  standing.foldingTo(at(12))
  standing.foldingEnded()
  standing.commitBegan(at(12))
  expect(standing.told.seq).toBe(9)
})

it("goes back from what was told where the log holds less", () => {
  const standing = sealed()
  standing.sealedTold()
  standing.wentBackTo(at(2))
  expect(standing.told.seq).toBe(2)
})

it("lets those look who wait for a position of tables that are closed, and no others", () => {
  const standing = sealed()
  const seen = waitingFor(standing, 9, "tables")
  expect(seen).toEqual([])
  standing.close()
  expect(seen).toEqual([[9, 4]])
})
