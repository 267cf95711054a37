/** What is in doubt once an endpoint is found to have told a block falsely, and how it is said. */
import { expect, it } from "vitest"
import { Tellers } from "./tellers.ts"

const NOW = 1_000
const HOUR_MS = 3_600_000

const told = (): Tellers => {
  const tellers = new Tellers()
  for (let slot = 100; slot < 104; slot++) tellers.saw(slot, "liar", false, NOW)
  for (let slot = 104; slot < 130; slot++) tellers.saw(slot, "honest", false, NOW)
  tellers.saw(130, "liar", false, NOW)
  tellers.lied("liar", NOW)
  return tellers
}

const doubt = (fromBlock: number, toBlock: number) => ({ _tag: "Doubt", fromBlock, toBlock })
const said = [{ by: "liar", blocks: 5, doubts: [doubt(100, 103), doubt(130, 130)] }]

it("loses all that a liar told, once, and believes it alone no more for an hour", () => {
  const tellers = told()
  expect([tellers.stands(100, "liar"), tellers.stands(110, "honest")]).toEqual([false, true])
  expect([tellers.doubted(NOW), tellers.doubted(NOW + HOUR_MS)]).toEqual([
    new Set(["liar"]),
    new Set()
  ])
  expect([tellers.takeLost(131), tellers.takeLost(132)]).toEqual([said, []])
  // what others told since is theirs
  tellers.saw(100, "honest", false, NOW)
  tellers.lied("liar", NOW)
  expect([tellers.takeLost(133), tellers.stands(100, "honest")]).toEqual([[], true])
})

it("loses what was asked for before its teller was found out, unless it is said to be a word", () => {
  const tellers = told()
  tellers.takeLost(131)
  tellers.saw(140, "liar", false, NOW)
  tellers.saw(141, "liar", true, NOW)
  const late = [{ by: "liar", blocks: 1, doubts: [doubt(140, 140)] }]
  expect(tellers.takeLost(142)).toEqual(late)
})

it("says again what a rollback undoes, of the blocks that are left", () => {
  const tellers = told()
  tellers.takeLost(131)
  tellers.cutAfter(131)
  expect(tellers.takeLost(131)).toEqual([])
  tellers.cutAfter(129)
  const left = [{ by: "liar", blocks: 4, doubts: [doubt(100, 103)] }]
  expect(tellers.takeLost(130)).toEqual(left)
  tellers.takeLost(10_000)
  // what was said long ago is not kept in mind
  tellers.cutAfter(129)
  expect(tellers.takeLost(130)).toEqual([])
})
