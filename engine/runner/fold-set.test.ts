import { expect, it } from "vitest"
import { testChain } from "../../test/support/chain-config.ts"
import { keep } from "../memory/kept.ts"
import type { Projection } from "../projection.ts"
import { type FoldsView, once } from "../query.ts"
import { newFoldSet, signatureOf } from "./fold-set.ts"

const projections = [
  { name: "pools", version: 2 },
  { name: "tape", version: 3 }
] as unknown as ReadonlyArray<Projection>

it("rebuilds tables where a projection or a fact that folds read is another one", () => {
  const now = signatureOf(testChain, projections)
  expect(now).toMatch(/^pools@2,tape@3,store@6,facts@[0-9a-f]{8}$/)
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
    create: view => ({ out: view.output(first), apply: () => undefined })
  })
  expect(newFoldSet(testChain, [first, reader([first])]).output({ name: "reader" })).toBe(7)
  expect(() => newFoldSet(testChain, [first, reader([])])).toThrow(
    "reader does not declare that it uses facts"
  )
  expect(() => newFoldSet(testChain, [reader([first]), first])).toThrow(
    "facts must be listed before its readers"
  )
})

it("keeps an object a key until the folds are loaded again", () => {
  const { kept, output, reloaded } = newFoldSet(testChain, [])
  const at = {
    chain: testChain,
    block: 1,
    blockTime: 1,
    keptFrom: { raw: 0, minutes: 0 },
    kept,
    output
  }
  const [list, other] = [keep((): Array<number> => []), keep((): Array<number> => [])]
  let made = 0
  const count = once((_: FoldsView) => ++made)
  kept(list).push(1)
  expect([kept(list), kept(other)]).toEqual([[1], []])
  const asked = [1, 1, 2, 1].map(seq => count({ ...at, seq }))
  expect(asked).toEqual([1, 1, 2, 3])
  reloaded()
  expect([kept(list), count({ ...at, seq: 1 })]).toEqual([[], 4])
})

it("refuses two projections that give a table or a query the same name", () => {
  const named = (name: string, tables: ReadonlyArray<string>, queries: ReadonlyArray<string>) =>
    ({
      ...{ name, version: 1, uses: [], create: () => ({ out: 0, apply: () => undefined }) },
      ...{
        tables: tables.map(one => ({ name: one })),
        queries: queries.map(one => ({ name: one }))
      }
    }) as unknown as Projection
  const markets = named("markets", ["hours", "days"], ["volumes"])
  expect(() => newFoldSet(testChain, [markets, named("hours", ["hours"], [])])).toThrow(
    "table hours is declared by markets and by hours"
  )
  expect(() => newFoldSet(testChain, [markets, named("other", [], ["volumes"])])).toThrow(
    "query volumes is declared by markets and by other"
  )
})
