/** Where blocks join a chain. */
import { expect, it } from "vitest"
import { ChainLinks, joinOf, type Link } from "./chain-links.ts"
import { Pace } from "./pace.ts"

const chain: ReadonlyArray<Link> = [
  { slot: 10, hash: "a", height: 5, time: 1, by: 0, timeBy: null },
  { slot: 12, hash: "b", height: 6, time: 2, by: 0, timeBy: null },
  { slot: 13, hash: "c", height: null, time: null, by: null, timeBy: null }
]

const block = (parentSlot: number, parentHash: string, height: number | null, hash = "new") => ({
  ...{ parentSlot, parentHash, height, hash }
})

it.each([
  ["the next one", 15, block(13, "c", 7), { _tag: "Joined", ancestor: chain[2] }],
  ["a fork", 15, block(12, "b", 7), { _tag: "Joined", ancestor: chain[1] }],
  ["a block whose parent was left out", 18, block(15, "x", 9), { _tag: "NeedsParent", slot: 15 }],
  ["a fork of several", 15, block(12, "x", 7), { _tag: "NeedsParent", slot: 12 }],
  ["a branch of another first block", 15, block(10, "x", 6), { _tag: "NeedsParent", slot: 10 }],
  ["a branch from before", 15, block(9, "x", 6), { _tag: "Deeper" }],
  [
    "an older block",
    15,
    block(10, "a", 6, "b"),
    {
      ...{ _tag: "Contradicts", link: chain[1], slot: 15 },
      reason: "slot 15 is told as the block of slot 12"
    }
  ],
  [
    "a parent in another slot",
    15,
    block(11, "b", 7),
    {
      ...{ _tag: "Contradicts", link: chain[1], slot: 11 },
      reason: "slot 15 is told with a parent in slot 11, not 12"
    }
  ],
  [
    "a height that is not one more",
    15,
    block(12, "b", 8),
    {
      ...{ _tag: "Contradicts", link: chain[1], slot: 12 },
      reason: "slot 15 is told with height 8 on 6"
    }
  ]
])("%s", (_, slot, joining, join) => {
  expect(joinOf(chain, slot, joining)).toEqual(join)
})

it("keeps some links behind the newest final one", () => {
  const links = new ChainLinks([])
  for (let slot = 0; slot < 100; slot++)
    links.push({ slot, hash: `${slot}`, height: slot, time: null, by: null, timeBy: null })
  links.settle(90)
  expect([links.all[0]?.slot, links.last?.slot, links.finalSlot]).toEqual([26, 99, 90])
  links.cutAfter(95)
  expect([links.last?.slot, links.upTo(40)?.slot, links.upTo(3)]).toEqual([95, 40, null])
})

it("measures the chain's pace, and knows none before two heads", () => {
  const pace = new Pace()
  expect([pace.slotMs, pace.pollMs]).toEqual([null, 250])
  pace.sampled(100, 1_000)
  expect(pace.slotMs).toBe(null)
  pace.sampled(100, 1_100)
  pace.sampled(104, 2_080)
  expect([pace.slotMs, pace.pollMs]).toEqual([270, 270])
  pace.sampled(1_104, 2_090)
  expect(pace.pollMs).toBe(50)
})
