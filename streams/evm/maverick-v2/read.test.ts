/**
 * Reads of a pool from answers as viem's coder makes them by IMaverickV2Pool, beside the published
 * state and swap of it.
 */
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from "viem"
import { expect, it } from "vitest"
import { answerBy, readState } from "../../../test/support/read-state.ts"
import { binPoolModel } from "./pool.ts"
import { binPoolStateRead, MOST_BINS } from "./read.ts"

const POOL = `0x${"3a".repeat(20)}`
const E18 = 10n ** 18n
const facts = {
  ...{ pool: POOL, tokens: [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] },
  ...{ fee: null, tickSpacing: 2232, decimals: [18, 18] }
}

const abi = parseAbi([
  "struct State { uint128 reserveA; uint128 reserveB; int64 lastTwaD8; int64 lastLogPriceD8; uint40 lastTimestamp; int32 activeTick; bool isLocked; uint32 binCounter; uint8 protocolFeeRatioD3; }",
  "struct Bin { uint128 mergeBinBalance; uint128 tickBalance; uint128 totalSupply; uint8 kind; int32 tick; uint32 mergeId; }",
  "struct Tick { uint128 reserveA; uint128 reserveB; uint128 totalSupply; uint32[4] binIdsByTick; }",
  "function getState() view returns (State)",
  "function fee(bool tokenAIn) view returns (uint256)",
  "function kinds() view returns (uint8)",
  "function permissionedSwap() view returns (bool)",
  "function getBin(uint32 binId) view returns (Bin)",
  "function getTick(int32 tick) view returns (Tick)"
])

// KyberNetwork/kyberswap-dex-lib, maverick/v2/data/mavweth.json: Ethereum's block 22664531.
const BIN_TICKS = [43, 38, 39, 40, 41, 42, 44, 45, 46, 47, 46, 59, 91]
const TICKS = new Map<number, readonly [bigint, bigint]>([
  [38, [233599182229908832889175n, 0n]],
  [39, [261177739705697790293446n, 0n]],
  [40, [292014549644152624323439n, 0n]],
  [41, [328566166678126065056620n, 0n]],
  [42, [474757656319844537888947n, 0n]],
  [43, [35783401343336175318327n, 0n]],
  [44, [31581339099984878507390n, 0n]],
  [45, [37777979507427586484769n, 0n]],
  [46, [46200160096971231027495n, 0n]],
  [47, [42544041264211846529759n, 931114965770597n]],
  [59, [0n, 15464504535479n]],
  [91, [0n, 12543131756855n]]
])
const RESERVES = [1784002215889661568319367n, 959122602062931n] as const

interface Pool {
  readonly reserves: readonly [bigint, bigint]
  readonly binTicks: ReadonlyArray<number>
  readonly activeTick: number
  /** null of pools without the word */
  readonly closed: boolean | null
}

const whole: Pool = { reserves: RESERVES, binTicks: BIN_TICKS, activeTick: 47, closed: null }

const contractOf = ({ reserves, binTicks, activeTick, closed }: Pool) =>
  answerBy(async (to: Hex, data: Hex): Promise<Hex> => {
    expect(to).toBe(POOL)
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    const encode = (result: unknown) =>
      encodeFunctionResult({ abi, functionName, result } as Parameters<
        typeof encodeFunctionResult
      >[0])
    switch (functionName) {
      case "getState":
        return encode({
          ...{ reserveA: reserves[0], reserveB: reserves[1], lastTwaD8: 4799299345n },
          ...{ lastLogPriceD8: 4799299345n, lastTimestamp: 1748748119, activeTick },
          ...{ isLocked: false, binCounter: binTicks.length, protocolFeeRatioD3: 0 }
        })
      case "fee":
        return encode(args[0] === true ? 10n ** 16n : 2n * 10n ** 16n)
      case "kinds":
        return encode(15)
      case "permissionedSwap":
        if (closed === null) throw new Error("reverted")
        return encode(closed)
      case "getBin": {
        const tick = binTicks[Number(args[0]) - 1] as number
        return encode({
          ...{ mergeBinBalance: 0n, tickBalance: 1n, totalSupply: 1n, kind: 0, tick, mergeId: 0 }
        })
      }
      case "getTick": {
        const [reserveA, reserveB] = TICKS.get(args[0] as number) ?? [0n, 0n]
        return encode({ reserveA, reserveB, totalSupply: 1n, binIdsByTick: [1, 0, 0, 0] })
      }
    }
  })

const read = (pool: Pool) => {
  const known = binPoolModel.initial(facts)
  const question = { facts, factory: null, known, time: 1748748119 }
  return readState(binPoolStateRead, question, contractOf(pool))
}

it("tells a pool that quotes the published swap", async () => {
  for (const closed of [null, false]) {
    const state = await read({ ...whole, closed })
    if (state === null) throw new Error("no state")
    expect(state.feeAIn).toBe(10n ** 16n)
    expect(state.feeBIn).toBe(2n * 10n ** 16n)
    expect(state.kinds).toBe(15n)
    expect([...(state.book?.ticks.keys() ?? [])]).toEqual([...TICKS.keys()])
    expect(binPoolModel.quote(state, facts, 0, 1, 20n * E18)).toEqual({
      ...{ ok: true, amountIn: 20n * E18, amountOut: 440665698723087n }
    })
  }
})

it("reads ticks below zero, and bins in ticks that hold nothing", async () => {
  const state = await read({ ...whole, binTicks: [...BIN_TICKS, -5], activeTick: -5 })
  expect(state?.book?.activeTick).toBe(-5)
  expect(state?.book?.ticks.has(-5)).toBe(false)
})

it("tells nothing of a pool in part, of one with too many bins, and of a closed one", async () => {
  expect(await read({ ...whole, binTicks: BIN_TICKS.slice(1) })).toBeNull()
  expect(await read({ ...whole, reserves: [RESERVES[0], RESERVES[1] + 1n] })).toBeNull()
  const many = Array.from({ length: MOST_BINS + 1 }, () => 47)
  expect(await read({ ...whole, binTicks: many })).toBeNull()
  expect(await read({ ...whole, closed: true })).toBeNull()
})
