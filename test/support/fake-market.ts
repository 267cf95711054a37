/** A few pools with contracts that answer, and random transactions on them, for scripted chains. */
import { encodeAbiParameters, type Hex, parseAbiParameters, toFunctionSelector, toHex } from "viem"
import type { FakeChain, FakeTx } from "./fake-chain.ts"
import { type FakeLog, syncLog, transferLog, v2SwapLog, v3SwapLog } from "./fake-logs.ts"
import type { Random } from "./seed.ts"

const address = (byte: number): Hex => `0x${byte.toString(16).padStart(2, "0").repeat(20)}`

export const TOKEN_A = address(0xa1)
export const TOKEN_B = address(0xb2)
export const V2_POOL = address(0x21)
export const V3_POOL = address(0x31)
/** emits pool events and has no code: an unknown that stays one */
export const MUTE_POOL = address(0x41)
export const FACTORY = address(0xfa)

const selector = (signature: string): Hex => toFunctionSelector(signature)

const encode = (types: string, value: unknown): Hex =>
  encodeAbiParameters(parseAbiParameters(types), [value] as never)

const token = (symbol: string, decimals: number) => ({
  [selector("symbol()")]: encode("string", symbol),
  [selector("name()")]: encode("string", `Token ${symbol}`),
  [selector("decimals()")]: encode("uint8", decimals),
  [selector("totalSupply()")]: encode("uint256", 10n ** 24n)
})

const pool = (more: { readonly [signature: string]: Hex }) => ({
  [selector("token0()")]: encode("address", TOKEN_A),
  [selector("token1()")]: encode("address", TOKEN_B),
  [selector("factory()")]: encode("address", FACTORY),
  ...more
})

/** Puts the pools' and tokens' contracts on the chain; an old token has a `bytes32` symbol. */
export const deployMarket = (chain: FakeChain): void => {
  chain.contracts.set(TOKEN_A, token("AAA", 18))
  chain.contracts.set(TOKEN_B, {
    [selector("symbol()")]: toHex("OLD\u0007", { size: 32 }),
    [selector("name()")]: null,
    [selector("totalSupply()")]: encode("uint256", 7n)
  })
  chain.contracts.set(V2_POOL, pool({}))
  chain.contracts.set(
    V3_POOL,
    pool({
      [selector("fee()")]: encode("uint24", 500),
      [selector("tickSpacing()")]: encode("int24", 10)
    })
  )
}

const randomLog = (r: Random): ReadonlyArray<FakeLog> => {
  const who = address(r.integer(1, 9))
  const amount = r.bits(80)
  switch (r.integer(0, 5)) {
    case 0:
    case 1:
      return [
        syncLog(V2_POOL, r.bits(100), r.bits(90)),
        v2SwapLog(V2_POOL, who, who, [amount, 0n, 0n, r.bits(70)])
      ]
    case 2:
      return [
        v3SwapLog(V3_POOL, who, who, amount, -r.bits(60), [
          r.bits(120),
          r.bits(90),
          r.integer(-9000, 9000)
        ])
      ]
    case 3:
      return [{ ...syncLog(V2_POOL, 1n, 1n), data: "0xff" }]
    case 4:
      return [syncLog(MUTE_POOL, r.bits(40), r.bits(40))]
    default:
      return [transferLog(TOKEN_A, who, V2_POOL, amount)]
  }
}

/** Up to `most` transactions with a few logs each. */
export const randomTxs = (r: Random, most: number): ReadonlyArray<FakeTx> =>
  Array.from({ length: r.integer(0, most) }, () => ({
    from: address(r.integer(1, 9)),
    to: r.boolean(0.9) ? address(r.integer(10, 12)) : null,
    logs: Array.from({ length: r.integer(0, 3) }, () => randomLog(r)).flat()
  }))
