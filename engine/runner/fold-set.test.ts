import { expect, it } from "vitest"
import { testChain } from "../../test/support/chain-config.ts"
import type { Projection } from "../projection.ts"
import { newFoldSet, signatureOf } from "./fold-set.ts"

const projections = [
  { name: "pools", version: 2 },
  { name: "tape", version: 3 }
] as unknown as ReadonlyArray<Projection>

it("rebuilds tables where a projection or a fact that folds read is another one", () => {
  const now = signatureOf(testChain, projections)
  expect(now).toMatch(/^pools@2,tape@3,store@2,facts@[0-9a-f]{8}$/)
  const [venue] = testChain.venues
  if (venue === undefined) throw new Error("no venue")
  expect(signatureOf({ ...testChain, venues: [{ ...venue, feeBps: 25 }] }, projections)).not.toBe(
    now
  )
  expect(signatureOf({ ...testChain, anchors: [] }, projections)).not.toBe(now)
  // what is off or says how a chain is read changes no table
  expect(signatureOf({ ...testChain, candidates: [venue], blockTimeMs: 1 }, projections)).toBe(now)
})

it("lets a fold read the output of what its projection declares, and of nothing else", () => {
  const facts = { name: "facts", version: 1, tables: [], uses: [], queries: [] }
  const first = { ...facts, create: () => ({ out: 7, apply: () => undefined }) }
  const reader = (uses: Projection["uses"]): Projection => ({
    ...{ name: "reader", version: 1, tables: [], uses, queries: [] },
    create: context => ({ out: context.output(first), apply: () => undefined })
  })
  expect(newFoldSet(testChain, [first, reader([first])]).output({ name: "reader" })).toBe(7)
  expect(() => newFoldSet(testChain, [first, reader([])])).toThrow(
    "reader does not declare that it uses facts"
  )
  expect(() => newFoldSet(testChain, [reader([first]), first])).toThrow(
    "facts must be listed before its readers"
  )
})
