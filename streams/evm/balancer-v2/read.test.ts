/**
 * Reads of pools from answers as viem's coder makes them by the Vault's and the pools' interfaces
 * (balancer-v2-monorepo, `IVault.sol`). What the fake Vault pays is a published swap's state, and of
 * rated tokens what a pool of the same worth without rates pays.
 */
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from "viem"
import { expect, it } from "vitest"
import { answerBy, readState } from "../../../test/support/read-state.ts"
import { eventOf } from "../../venue-laws.ts"
import type { Curve } from "./factories.ts"
import { contractOf, type VaultPoolState, vaultPoolModel } from "./pool.ts"
import { vaultPoolStateRead } from "./read.ts"

const POOL = `0x${"cc".repeat(32)}`
const VAULT: Hex = `0x${"ba".repeat(20)}`
const CONTRACT = contractOf(POOL)
const [A, B] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const
const PROVIDER: Hex = `0x${"4a".repeat(20)}`
const NOBODY: Hex = `0x${"00".repeat(20)}`
const WEIGHTED = "0x897888115ada5773e02aa29f775430bfb5f34c51"
const STABLE = "0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a"
const NOW = 1_700_000_000
const E18 = 10n ** 18n

const abi = parseAbi([
  "struct Step { bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData; }",
  "struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }",
  "function getPoolTokens(bytes32 poolId) view returns (address[] tokens, uint256[] balances, uint256 lastChangeBlock)",
  "function getPoolTokenInfo(bytes32 poolId, address token) view returns (uint256 cash, uint256 managed, uint256 lastChangeBlock, address assetManager)",
  "function queryBatchSwap(uint8 kind, Step[] swaps, address[] assets, Funds funds) returns (int256[] assetDeltas)",
  "function getSwapFeePercentage() view returns (uint256)",
  "function getPausedState() view returns (bool paused, uint256 windowEnd, uint256 bufferEnd)",
  "function getAmplificationParameter() view returns (uint256 value, bool isUpdating, uint256 precision)",
  "function getNormalizedWeights() view returns (uint256[])",
  "function getRateProviders() view returns (address[])",
  "function getTokenRateCache(address token) view returns (uint256 rate, uint256 oldRate, uint256 duration, uint256 expires)",
  "function getRate() view returns (uint256)",
  "function isPoolFromFactory(address pool) view returns (bool)"
])

type Token = {
  readonly token: string
  readonly cash: bigint
  readonly managed?: bigint
  /** rate in the cache, and until when */
  readonly cached?: readonly [rate: bigint, until: number]
  readonly rate?: bigint
}

interface Pool {
  readonly factory: string
  readonly tokens: ReadonlyArray<Token>
  readonly fee: bigint
  readonly amp?: readonly [value: bigint, isUpdating: boolean]
  readonly weights?: ReadonlyArray<bigint>
  readonly paused?: boolean
  /** what the Vault pays for a swap */
  readonly pays: (from: number, to: number, amount: bigint) => bigint
}

const factsOf = ({ tokens }: Pool) => ({
  ...{ pool: POOL, tokens: tokens.map(({ token }) => token), fee: null, tickSpacing: null },
  decimals: tokens.map(() => 18)
})

const refuse = (): never => {
  throw new Error("reverted")
}

const vaultAnswer = (pool: Pool, name: string, args: ReadonlyArray<unknown>): unknown => {
  const { tokens } = pool
  expect(name === "queryBatchSwap" || args[0] === POOL).toBe(true)
  switch (name) {
    case "getPoolTokens":
      return [
        tokens.map(({ token }) => token),
        tokens.map(({ cash, managed = 0n }) => cash + managed),
        5n
      ]
    case "getPoolTokenInfo": {
      const found = tokens.find(({ token }) => token === String(args[1]).toLowerCase()) ?? refuse()
      return [found.cash, found.managed ?? 0n, 5n, NOBODY]
    }
    case "queryBatchSwap": {
      const [kind, [step], assets] = args as unknown as readonly [
        number,
        readonly [{ readonly [name: string]: unknown }],
        ReadonlyArray<string>
      ]
      expect(kind).toBe(0)
      expect(step).toMatchObject({
        ...{ poolId: POOL, assetInIndex: 0n, assetOutIndex: 1n, userData: "0x" }
      })
      const [from, to] = assets.map(asset => tokens.findIndex(({ token }) => token === asset))
      const amount = step["amount"] as bigint
      return [amount, -pool.pays(from as number, to as number, amount)]
    }
    default:
      return refuse()
  }
}

const poolAnswer = (pool: Pool, name: string, args: ReadonlyArray<unknown>): unknown => {
  const { tokens, amp, weights, fee, paused = false } = pool
  switch (name) {
    case "getSwapFeePercentage":
      return fee
    case "getPausedState":
      return [paused, 0n, 0n]
    case "getAmplificationParameter":
      return amp === undefined ? refuse() : [...amp, 1000n]
    case "getNormalizedWeights":
      return weights ?? refuse()
    case "getRateProviders":
      return amp === undefined
        ? tokens.map(() => PROVIDER)
        : tokens.map(({ cached }) => (cached === undefined ? NOBODY : PROVIDER))
    case "getTokenRateCache": {
      const [rate, until] = tokens.find(({ token }) => token === args[0])?.cached ?? refuse()
      return [rate, rate, 3600n, BigInt(until)]
    }
    default:
      return refuse()
  }
}

const contractsOf = (pool: Pool) =>
  answerBy(async (to: Hex, data: Hex): Promise<Hex> => {
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    const answer = (): unknown => {
      if (to === VAULT) return vaultAnswer(pool, functionName, args)
      if (to === CONTRACT) return poolAnswer(pool, functionName, args)
      if (functionName === "getRate") return to === PROVIDER ? pool.tokens[0]?.rate : refuse()
      return functionName === "isPoolFromFactory" && to === pool.factory
    }
    return encodeFunctionResult({ abi, functionName, result: answer() } as Parameters<
      typeof encodeFunctionResult
    >[0])
  })

const read = (pool: Pool) => {
  const facts = factsOf(pool)
  const known = vaultPoolModel.initial(facts)
  const question = { facts, factory: VAULT, known, time: NOW }
  return readState(vaultPoolStateRead, question, contractsOf(pool))
}

/** What a pool without rates pays by its balances. */
const paysBy = (tokens: ReadonlyArray<Token>, curve: Curve, more: Partial<VaultPoolState>) => {
  const facts = { ...factsOf({ tokens } as Pool) }
  const holdings = tokens.map(({ cash, managed = 0n }) => ({ cash, managed }))
  const state = { ...vaultPoolModel.initial(facts), holdings, curve, ...more }
  return (from: number, to: number, amount: bigint): bigint => {
    const quote = vaultPoolModel.quote(state, facts, from, to, amount)
    if (!quote.ok) throw new Error(quote.reason)
    return quote.amountOut
  }
}

// KyberNetwork/kyberswap-dex-lib, balancer-v2/weighted/pool_simulator_test.go.
const HELD: ReadonlyArray<Token> = [
  { token: A, cash: 3360160080014532471350474n },
  { token: B, cash: 1112301324508754708737n - 7n, managed: 7n }
]
const WEIGHTS = [(8n * E18) / 10n, (2n * E18) / 10n]
const weighted: Pool = {
  ...{ factory: WEIGHTED, tokens: HELD, fee: E18 / 1000n, weights: WEIGHTS },
  pays: paysBy(
    HELD,
    { name: "weighted", power: "multiply" },
    { swapFee: E18 / 1000n, weights: WEIGHTS }
  )
}

it("tells a weighted pool that quotes the published swaps, whatever rates it names", async () => {
  const state = await read(weighted)
  if (state === null) throw new Error("no state")
  expect(state).toMatchObject({ hasRates: false, weights: WEIGHTS, time: NOW })
  expect(state.holdings?.[1]).toEqual({ cash: 1112301324508754708730n, managed: 7n })
  const facts = factsOf(weighted)
  expect(vaultPoolModel.quote(state, facts, 0, 1, 60160080014532471350474n)).toEqual({
    ...{ ok: true, amountIn: 60160080014532471350474n, amountOut: 76143667376405160244n }
  })
})

it("tells nothing of a pool that pays otherwise, is paused, or is of an unknown factory", async () => {
  const { pays } = weighted
  expect(await read({ ...weighted, pays: (...swap) => pays(...swap) + 1n })).toBeNull()
  expect(await read({ ...weighted, paused: true })).toBeNull()
  expect(await read({ ...weighted, factory: NOBODY })).toBeNull()
  expect(await read({ ...weighted, weights: WEIGHTS.slice(1) })).toBeNull()
})

const RATE = (5n * E18) / 4n
const RATED: ReadonlyArray<Token> = [
  { token: A, cash: 4000n * E18, cached: [RATE, NOW], rate: 2n * E18 },
  { token: B, cash: 6000n * E18 },
  { token: CONTRACT, cash: 2n ** 111n }
]
/** The same pool in worth: what has a rate, times it. */
const WORTH = RATED.map((one, i) => (i === 0 ? { token: A, cash: 5000n * E18 } : one))
const FEE = E18 / 10_000n
const AMP = 200_000n
const worthPays = paysBy(
  WORTH,
  { name: "stable", invariant: "truncated" },
  { swapFee: FEE, amp: AMP }
)
const rated: Pool = {
  ...{ factory: STABLE, tokens: RATED, fee: FEE, amp: [AMP, false] },
  pays: (from, to, amount) =>
    from === 0 ? worthPays(from, to, (amount * 5n) / 4n) : (worthPays(from, to, amount) * 4n) / 5n
}

it("tells a pool with rates until the cached ones end, and asks the provider after that", async () => {
  const facts = factsOf(rated)
  const state = await read(rated)
  if (state === null) throw new Error("no state")
  expect(state).toMatchObject({ hasRates: true, factorsUntil: NOW })
  expect(state.factors).toEqual([RATE, E18, E18])
  const quote = vaultPoolModel.quote(state, facts, 0, 1, 8n * E18)
  expect(quote).toEqual({
    ...{ ok: true, amountIn: 8n * E18, amountOut: worthPays(0, 1, 10n * E18) }
  })
  const seal = eventOf({ kind: "BlockSealed", logs: 0, grade: "file" })
  const later = vaultPoolModel.fold(state, { ...seal, block: { ...seal.block, time: NOW + 1 } })
  expect(vaultPoolModel.quote(later, facts, 0, 1, E18)).toEqual({
    ...{ ok: false, reason: "unknown-state" }
  })
  const [first, ...others] = RATED as [Token, ...ReadonlyArray<Token>]
  const over = [{ ...first, cached: [E18, NOW - 1] as const, rate: RATE }, ...others]
  expect((await read({ ...rated, tokens: over }))?.factors).toEqual([RATE, E18, E18])
  expect(await read({ ...rated, tokens: [{ ...first, cached: [E18, NOW] }, ...others] })).toBeNull()
})

it("keeps rates until a swap takes others", async () => {
  const state = await read(rated)
  if (state === null) throw new Error("no state")
  const amountOut = worthPays(0, 1, 10n * E18)
  const swap = (paid: bigint) =>
    eventOf({
      ...{ kind: "SwapExecuted", pool: POOL, venueKind: "balancer-v2" },
      ...{ sender: null, recipient: null, sqrtPriceX96: null, liquidity: null, tick: null },
      ...{ amount0In: 8n * E18, amount0Out: 0n, amount1In: 0n, amount1Out: paid },
      ...{ fee: null, token0: A, token1: B, index0: null, index1: null }
    })
  const next = vaultPoolModel.fold(state, swap(amountOut))
  expect(next.factors).toEqual(state.factors)
  expect(next.holdings?.[0]?.cash).toBe(4008n * E18)
  expect(vaultPoolModel.fold(state, swap(amountOut - 1n)).factors).toBeNull()
})

it("tells nothing of a pool whose amplification moves", async () => {
  expect(await read({ ...rated, amp: [AMP, true] })).toBeNull()
})
