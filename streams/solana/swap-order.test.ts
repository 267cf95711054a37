/** Which of the pool's tokens came in, by event or by place: transactions made by hand. */
import { expect, it } from "vitest"
import { decodeTransaction } from "./decode-transaction.ts"
import {
  accountsOf,
  addressOf,
  callOf,
  dataLog,
  type MadeInstruction,
  made,
  payloadOf,
  transferOf
} from "./made-transaction.ts"
import { orcaWhirlpool } from "./orca-whirlpool/venue.ts"
import { raydiumClmm } from "./raydium-clmm/venue.ts"
import { raydiumCpmm } from "./raydium-cpmm/venue.ts"
import { venuesByProgram as venues } from "./venues.ts"

const [POOL, LOWER, HIGHER] = [addressOf(1), addressOf(2), addressOf(3)]

const clmm = (zeroIn: number): MadeInstruction => ({
  ...callOf(raydiumClmm, "f8c69e91e17587c8", accountsOf(10, { 2: POOL, 5: "in", 6: "out" })),
  logs: [
    dataLog(
      payloadOf("40c6cde8260871e2", 205, [
        [8, POOL],
        [168, zeroIn, 1]
      ])
    )
  ]
})

const cpmm = (bytes: 89 | 170, mintIn = LOWER, mintOut = HIGHER): MadeInstruction => {
  const mints = [
    [89, mintIn],
    [121, mintOut]
  ] as const
  const fields = [[8, POOL] as const, ...(bytes === 170 ? mints : [])]
  return {
    ...callOf(raydiumCpmm, "8fbe5adac41e33de", accountsOf(13, { 3: POOL, 6: "in", 7: "out" })),
    logs: [dataLog(payloadOf("40c6cde8260871e2", bytes, fields))]
  }
}

/** Two hops whose vaults stand as input and output. */
const twoHops = (logs: ReadonlyArray<string>): MadeInstruction => ({
  ...callOf(
    orcaWhirlpool,
    "ba8fd11dfe02c275",
    accountsOf(24, { 0: POOL, 1: LOWER, 9: "1 in", 10: "1 out", 11: "2 in", 12: "2 out" })
  ),
  calls: [
    transferOf("me", "1 in", 100n),
    transferOf("1 out", "2 in", 70n),
    transferOf("2 out", "me", 40n)
  ],
  logs
})
const traded = (pool: string, aToB: number): string =>
  dataLog(
    payloadOf("e1ca49af932ba096", 121, [
      [8, pool],
      [40, aToB, 1]
    ])
  )

const oneHop = (into: "A" | "B"): MadeInstruction => ({
  ...callOf(orcaWhirlpool, "f8c69e91e17587c8", accountsOf(11, { 2: POOL, 4: "A", 6: "B" })),
  calls: [transferOf("me", into, 9n), transferOf(into === "A" ? "B" : "A", "me", 8n)]
})

it.each([
  ["an event's direction", clmm(1), [true]],
  ["an event's direction, the other way", clmm(0), [false]],
  ["no event's mints or direction", cpmm(89), [null]],
  ["an event's mints in their order", cpmm(170), [true]],
  ["an event's mints, the other way", cpmm(170, HIGHER, LOWER), [false]],
  ["events of two hops", twoHops([traded(POOL, 0), traded(LOWER, 1)]), [false, true]],
  ["no event of two hops", twoHops([]), [null, null]],
  ["the vault that gained, where vaults stand as the pool has them", oneHop("A"), [true]],
  ["the vault that gained, the other way", oneHop("B"), [false]]
])("knows it by %s", (_, instruction, expected) => {
  const { swaps, refusals } = decodeTransaction(made({ instructions: [instruction] }), venues)
  expect([swaps.map(({ inIsFirst }) => inIsFirst), refusals]).toEqual([expected, []])
})
