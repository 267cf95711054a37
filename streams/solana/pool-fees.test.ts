/** Fees that positions are paid, and deposits of one token, as they come onto the tape. */
import { expect, it } from "vitest"
import { block, decoded, newWriter, taken, tapeOf } from "./made-block.ts"
import {
  A,
  B,
  liquidity,
  madeCall,
  madeEvent,
  OWNER,
  POOL,
  POSITION,
  toldOf
} from "./made-pool-events.ts"
import { addressOf, type Field, type MadeInstruction, made } from "./made-transaction.ts"
import { meteoraDlmm } from "./meteora-dlmm/venue.ts"
import { raydiumClmm } from "./raydium-clmm/venue.ts"
import { mintsInOrder } from "./swap-events.ts"

const claimed: ReadonlyArray<Field> = [
  [8, POOL],
  [40, POSITION],
  [72, OWNER],
  [104, 3n],
  [112, 4n]
]

it("are none of a position that gives back what has earned nothing", () => {
  const by = madeCall(raydiumClmm, "3a7fbc3e4f52c460", { 0: OWNER, 3: POOL, 14: A, 15: B })
  const back: ReadonlyArray<Field> = [
    [8, POSITION],
    [56, 7n],
    [64, 8n]
  ]
  expect(toldOf(madeEvent(raydiumClmm, "3ade563a44325538", 128, back, by)).told).toEqual([
    ["DecreaseLiquidityEvent", liquidity(-7n, -8n)]
  ])
})

it("are on the tape, of the pool's tokens in order", () => {
  const claim = madeCall(meteoraDlmm, "a9204f8988e84689", { 0: POOL, 9: A, 10: B })
  const paid = madeEvent(meteoraDlmm, "4b7a9a308c4a7ba3", 120, claimed, claim)
  const one = made({ instructions: [paid] })
  const told = tapeOf(block(7, [{ ...one, feePayer: addressOf(8) }]))
  const [amount0, amount1] = mintsInOrder(A, B)[0] === A ? [3n, 4n] : [4n, 3n]
  expect(told.filter(({ kind }) => kind === "FeesCollected")).toMatchObject([
    { pool: POOL, owner: OWNER, recipient: null, amount0, amount1 }
  ])
  const at = told.findIndex(({ kind }) => kind === "FeesCollected")
  expect(told[at + 1]).toMatchObject({ kind: "PositionNamed", pool: POOL, position: POSITION })
})

it.each([
  ["5e9b6797465fdca5", 0],
  ["2905eeaf64e106cd", 1]
] as const)("a deposit of one token is of a pool that is known: %s", (tag, side) => {
  const amounts: ReadonlyArray<Field> = [
    [8, POOL],
    [40, OWNER],
    [72, POSITION],
    [104 + 8 * side, 7n]
  ]
  const by = madeCall(meteoraDlmm, tag, { 1: POOL, 5: side === 0 ? A : B })
  const deposit = madeEvent(meteoraDlmm, "1f5e7d5ae3343dba", 124, amounts, by)
  const whole = madeEvent(
    ...([meteoraDlmm, "1f5e7d5ae3343dba", 124, [...amounts.slice(0, 3), [104, 1n]]] as const),
    madeCall(meteoraDlmm, "b59d59438fb63448", { 1: POOL, 7: A, 8: B })
  )
  const blockOf = (slot: number, instruction: MadeInstruction) =>
    decoded(slot, [{ ...made({ instructions: [instruction] }), feePayer: addressOf(8) }])
  const writer = newWriter()
  writer.writeBlock(blockOf(7, deposit))
  expect(writer.untold).toBe(1)
  writer.writeBlock(blockOf(8, whole))
  writer.writeBlock(blockOf(9, deposit))
  expect(writer.untold).toBe(1)
  const isFirst = (mintsInOrder(A, B)[0] === A) === (side === 0)
  expect(taken(writer).findLast(({ kind }) => kind === "LiquidityChanged")).toMatchObject({
    ...{ pool: POOL, owner: OWNER, amount0: isFirst ? 7n : 0n, amount1: isFirst ? 0n : 7n }
  })
})
