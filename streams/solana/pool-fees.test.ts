/** Fees that positions are paid, and deposits of one token, made by hand at the IDLs' lengths. */
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
  toldOf,
  VAULT_A,
  VAULT_B
} from "./made-pool-events.ts"
import {
  addressOf,
  type Field,
  type MadeInstruction,
  made,
  transferOf
} from "./made-transaction.ts"
import { meteoraDammV2 } from "./meteora-damm-v2/venue.ts"
import { meteoraDlmm } from "./meteora-dlmm/venue.ts"
import { orcaWhirlpool } from "./orca-whirlpool/venue.ts"
import { raydiumClmm } from "./raydium-clmm/venue.ts"
import { mintsInOrder } from "./swap-events.ts"

const fees = (...amounts: readonly [bigint, bigint]) => ({
  ...{ kind: "fees", pool: POOL, owner: OWNER, position: POSITION, mints: [A, B], amounts }
})

const claimed: ReadonlyArray<Field> = [
  [8, POOL],
  [40, POSITION],
  [72, OWNER],
  [104, 3n],
  [112, 4n]
]
const [FIRST, SECOND] = ["4b7a9a308c4a7ba3", "e8abf2613a4d232d"]
const claim = madeCall(meteoraDlmm, "a9204f8988e84689", { 0: POOL, 9: A, 10: B })
const claim2 = madeCall(meteoraDlmm, "70bf65ab1c907fbb", { 0: POOL, 7: A, 8: B })
const ofDamm2 = madeCall(meteoraDammV2, "b4269a118521a2d3", { 1: POOL, 7: A, 8: B })
const DAMM_2 = "c6b6b734610c3138"

const paying = (tag: string, named: { readonly [at: number]: string }): MadeInstruction => ({
  ...madeCall(orcaWhirlpool, tag, { 0: POOL, 1: OWNER, 2: POSITION, ...named }),
  calls: [transferOf(VAULT_A, "my A", 3n), transferOf(VAULT_B, "my B", 4n)]
})

const rows: ReadonlyArray<readonly [string, MadeInstruction]> = [
  ["ClaimFee", madeEvent(meteoraDlmm, FIRST, 120, claimed, claim)],
  ["ClaimFee2", madeEvent(meteoraDlmm, SECOND, 124, claimed, claim2)],
  [
    "ClaimFee2",
    madeEvent(
      meteoraDlmm,
      SECOND,
      124,
      claimed,
      madeEvent(meteoraDlmm, FIRST, 120, claimed, claim2)
    )
  ],
  ["EvtClaimPositionFee", madeEvent(meteoraDammV2, DAMM_2, 120, claimed, ofDamm2)],
  ["collect_fees", paying("a498cf631eba13b6", { 5: VAULT_A, 7: VAULT_B })],
  ["collect_fees_v2", paying("cf755fbfe5b4e20f", { 7: VAULT_A, 9: VAULT_B })]
]

it.each(rows)("%s", (name, instruction) => {
  expect(toldOf(instruction)).toEqual({ told: [[name, fees(3n, 4n)]], refused: [] })
})

it("come with what a position of Raydium CLMM gives back, and alone with none", () => {
  const by = madeCall(raydiumClmm, "3a7fbc3e4f52c460", { 0: OWNER, 3: POOL, 14: A, 15: B })
  const back: ReadonlyArray<Field> = [
    [8, POSITION],
    [56, 7n],
    [72, 3n],
    [80, 4n]
  ]
  const name = "DecreaseLiquidityEvent"
  expect(toldOf(madeEvent(raydiumClmm, "3ade563a44325538", 128, back, by)).told).toEqual([
    [name, liquidity(-7n, -0n)],
    [name, fees(3n, 4n)]
  ])
})

it("come with a rebalancing, whose amounts are without them", () => {
  const by = madeCall(meteoraDlmm, "5c04b0c177b95309", { 1: POOL, 7: A, 8: B })
  const moved: ReadonlyArray<Field> = [...claimed.slice(0, 3), [116, 50n], [140, 3n], [148, 4n]]
  expect(toldOf(madeEvent(meteoraDlmm, "006d75b33d5bc7c8", 188, moved, by)).told).toEqual([
    ["Rebalancing", liquidity(50n, 0n)],
    ["Rebalancing", fees(3n, 4n)]
  ])
})

it("are on the tape, of the pool's tokens in order", () => {
  const one = made({ instructions: [rows[0]?.[1] as MadeInstruction] })
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
  ["2905eeaf64e106cd", 1],
  ["a1c26754ab47fa9a", 0],
  ["2133a3c975627de7", 1]
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
