/**
 * Reads of pools from answers as viem's coder makes them by the Vault's interface
 * (balancer-v3-monorepo, `IVaultExtension.sol`, `VaultTypes.sol`), beside a published swap.
 */
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from "viem"
import { expect, it } from "vitest"
import { answerBy, readState } from "../../../test/support/read-state.ts"
import { registeredPoolModel } from "./pool.ts"
import { registeredPoolStateRead } from "./read.ts"

const POOL: Hex = `0x${"cd".repeat(20)}`
const VAULT: Hex = `0x${"ba".repeat(20)}`
const NOBODY: Hex = `0x${"00".repeat(20)}`
const WEIGHTED = "0x201efd508c8dfe9de1a13c2452863a78cb2a86cc"
const STABLE = "0xb9d01ca61b9c181da1051bfdd28e1097e920ab14"
const E18 = 10n ** 18n
const NOW = 1_735_000_000
const facts = {
  ...{ pool: POOL, tokens: [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] },
  ...{ fee: null, tickSpacing: null, decimals: [18, 18] }
}

const abi = parseAbi([
  "struct TokenInfo { uint8 tokenType; address rateProvider; bool paysYieldFees; }",
  "struct Liquidity { bool disableUnbalanced; bool addCustom; bool removeCustom; bool donation; }",
  "struct PoolConfig { Liquidity liquidityManagement; uint256 staticSwapFeePercentage; uint256 aggregateSwapFeePercentage; uint256 aggregateYieldFeePercentage; uint40 tokenDecimalDiffs; uint32 pauseWindowEndTime; bool isPoolRegistered; bool isPoolInitialized; bool isPoolPaused; bool isPoolInRecoveryMode; }",
  "struct HooksConfig { bool adjusted; bool beforeInitialize; bool afterInitialize; bool dynamicFee; bool beforeSwap; bool afterSwap; bool beforeAdd; bool afterAdd; bool beforeRemove; bool afterRemove; address hooksContract; }",
  "function getPoolTokenInfo(address pool) view returns (address[] tokens, TokenInfo[] tokenInfo, uint256[] balancesRaw, uint256[] lastBalancesLiveScaled18)",
  "function getPoolConfig(address pool) view returns (PoolConfig)",
  "function getHooksConfig(address pool) view returns (HooksConfig)",
  "function getAmplificationParameter() view returns (uint256 value, bool isUpdating, uint256 precision)",
  "function getNormalizedWeights() view returns (uint256[])",
  "function isPoolFromFactory(address pool) view returns (bool)"
])

// KyberNetwork/kyberswap-dex-lib, balancer/v3/weighted/pool_simulator_test.go: a pool of Arbitrum's
// block 309271722.
const pool = {
  ...{ factory: WEIGHTED, tokens: facts.tokens, provider: NOBODY, paused: false, recovery: false },
  balances: [92522708649454779998815n, 360573774832263481n],
  weights: [(75n * E18) / 100n, (25n * E18) / 100n] as ReadonlyArray<bigint> | null,
  amp: null as readonly [bigint, boolean] | null,
  hooks: {} as { readonly [flag: string]: boolean }
}
type Pool = typeof pool

const noHooks = {
  ...{ adjusted: false, beforeInitialize: false, afterInitialize: false, dynamicFee: false },
  ...{ beforeSwap: false, afterSwap: false, beforeAdd: false, afterAdd: false },
  ...{ beforeRemove: false, afterRemove: false, hooksContract: NOBODY }
}

const refuse = (): never => {
  throw new Error("reverted")
}

const vaultAnswer = (of: Pool, name: string): unknown => {
  switch (name) {
    case "getPoolTokenInfo": {
      const plain = { tokenType: 0, rateProvider: NOBODY, paysYieldFees: false }
      const info = of.tokens.map((_, i) =>
        i === 0 ? { ...plain, rateProvider: of.provider } : plain
      )
      return [of.tokens, info, of.balances, of.balances]
    }
    case "getPoolConfig":
      return {
        liquidityManagement: {
          ...{ disableUnbalanced: true, addCustom: false, removeCustom: false, donation: true }
        },
        ...{ staticSwapFeePercentage: 5n * 10n ** 15n, aggregateSwapFeePercentage: E18 / 2n },
        ...{ aggregateYieldFeePercentage: E18 / 10n, tokenDecimalDiffs: 0, pauseWindowEndTime: 9 },
        ...{ isPoolRegistered: true, isPoolInitialized: true },
        ...{ isPoolPaused: of.paused, isPoolInRecoveryMode: of.recovery }
      }
    case "getHooksConfig":
      return { ...noHooks, ...of.hooks }
    default:
      return refuse()
  }
}

const read = (of: Pool) => {
  const answer = answerBy(async (to: Hex, data: Hex): Promise<Hex> => {
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    const told = (): unknown => {
      if (to === VAULT)
        return String(args[0]).toLowerCase() === POOL ? vaultAnswer(of, functionName) : refuse()
      if (functionName === "isPoolFromFactory") return to === of.factory
      if (to !== POOL) return refuse()
      if (functionName === "getNormalizedWeights") return of.weights ?? refuse()
      return of.amp === null ? refuse() : [...of.amp, 1000n]
    }
    return encodeFunctionResult({ abi, functionName, result: told() } as Parameters<
      typeof encodeFunctionResult
    >[0])
  })
  const known = registeredPoolModel.initial(facts)
  return readState(registeredPoolStateRead, { facts, factory: VAULT, known, time: NOW }, answer)
}

it("tells a weighted pool that quotes the published swap", async () => {
  const state = await read(pool)
  if (state === null) throw new Error("no state")
  expect(state).toMatchObject({ aggregateFee: E18 / 2n, recoveryMode: false, time: NOW })
  expect(registeredPoolModel.quote(state, facts, 0, 1, E18)).toEqual({
    ...{ ok: true, amountIn: E18, amountOut: 11632707084358n }
  })
})

it("tells a stable pool with its amplification, hooks that change no swap among it", async () => {
  const hooks = { beforeInitialize: true, beforeAdd: true, afterRemove: true }
  const stable = { ...pool, factory: STABLE, weights: null, hooks, recovery: true }
  const state = await read({ ...stable, amp: [200_000n, false] })
  expect(state).toMatchObject({ curve: "stable", amp: 200_000n, recoveryMode: true })
  expect(await read({ ...stable, amp: [200_000n, true] })).toBeNull()
})

it("tells nothing of pools with rates, with hooks on swaps, paused, or of unknown factories", async () => {
  const provider: Hex = `0x${"4a".repeat(20)}`
  for (const more of [
    { provider },
    { paused: true },
    { factory: NOBODY },
    { hooks: { dynamicFee: true } },
    { hooks: { afterSwap: true } },
    { tokens: [...facts.tokens].reverse() },
    { balances: [1n] }
  ]) {
    expect(await read({ ...pool, ...more }), JSON.stringify(Object.keys(more))).toBeNull()
  }
})
