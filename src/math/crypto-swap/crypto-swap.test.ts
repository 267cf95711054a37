import { expect, it } from "vitest"
import { random } from "../../../test/support/seed.ts"
import { cubeRoot } from "./cube-root.ts"
import { type CryptoPool, cryptoBalances, cryptoExchange, productValue } from "./exchange.ts"
import { cryptoBalance, cryptoInvariant } from "./two-coin.ts"

const UNIT = 10n ** 18n

it("takes cube roots in 18 decimals", () => {
  expect(cubeRoot(8n * UNIT)).toBe(2n * UNIT)
  const { bits, integer } = random("cube-root")
  for (let i = 0; i < 200; i++) {
    const x = bits(integer(20, 200)) + 1n
    const exact = Math.cbrt(Number(x) / 1e18) * 1e18
    expect(Math.abs(Number(cubeRoot(x)) / exact - 1)).toBeLessThan(1e-9)
  }
})

// Two pools of Arbitrum and their swaps as KyberNetwork/kyberswap-dex-lib tests them
// (pkg/liquidity-source/curve/twocrypto-ng/pool_simulator_test.go).
const eth: CryptoPool = {
  curve: { ann: 20_000_000n, gamma: 20_000_000_000_000_000n },
  fees: { mid: 500_000n, out: 8_000_000n, gamma: 30_000_000_000_000_000n },
  balances: [968569777414549410834n, 1045106588251996643768n],
  precisions: [1n, 1n],
  priceScale: 983313638977093334n,
  d: 1996236386986675947911n
}
const euro: CryptoPool = {
  curve: { ann: 1_880_000n, gamma: 199_000_000_000_000_000n },
  fees: { mid: 4_000_000n, out: 30_000_000n, gamma: 12_300_000_000_000_000n },
  balances: [4048585006552861060153n, 399999n],
  precisions: [1n, 10n ** 16n],
  priceScale: 1083716143157454024n,
  d: 8383386641969295080730n
}

it("gives the outputs of published swaps", () => {
  const cases = [
    [eth, 1, 50000000000000000n, 49158730955589571n],
    [eth, 1, 500000000000000001n, 491586661400038591n],
    [eth, 1, 5000000000000000012n, 4915798138812167060n],
    [eth, 1, 50000000000000000123n, 49147140999173741771n],
    [eth, 1, 500000000000000001234n, 453553432480766034585n],
    [eth, 1, 5000000000000000012345n, 923692799321975179979n],
    [eth, 1, 10918181n, 10734905n],
    [eth, 1, 2480561515956081681n, 2438807364673706750n],
    [eth, 1, 1017116218018521399n, 1000000000000000000n],
    [eth, 0, 1000000000000000000n, 1016967986681031868n],
    [euro, 0, 4732267796024191790852n, 327494n],
    [euro, 1, 1n, 10822405757804743n],
    [euro, 1, 279108n, 2680342795273391100498n],
    [euro, 1, 327494n, 2949081412746367458511n]
  ] as const
  for (const [pool, sold, amountIn, amountOut] of cases) {
    expect(cryptoExchange(pool, sold, amountIn)?.amountOut).toBe(amountOut)
  }
})

it("leaves what the next published swap needs", () => {
  const first = cryptoExchange(eth, 1, 1017116218018521399n)
  if (first === null) throw new Error("no output")
  const after = { ...eth, balances: first.balances, d: first.d }
  expect(cryptoExchange(after, 0, UNIT)?.amountOut).toBe(1016969759771777253n)
})

it("solves balance and invariant for each other", () => {
  for (const pool of [eth, euro]) {
    const xp = cryptoBalances(pool.balances, pool.precisions, pool.priceScale)
    const d = cryptoInvariant(pool.curve, xp, 0n) as bigint
    expect(Math.abs(Number(d) / Number(pool.d) - 1)).toBeLessThan(1e-12)
    const y = cryptoBalance(pool.curve, xp[0], d)?.y as bigint
    expect(Math.abs(Number(y) / Number(xp[1]) - 1)).toBeLessThan(1e-12)
  }
  expect(productValue(2n * UNIT, UNIT)).toBe(UNIT)
  expect(cryptoInvariant(eth.curve, [UNIT, 0n], 0n)).toBeNull()
  expect(cryptoInvariant({ ann: 1n, gamma: 1n }, [UNIT, UNIT], 0n)).toBeNull()
})
