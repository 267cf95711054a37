/** The devchain's router contract, as `npm start` puts it there. */
import { Effect } from "effect"
import { decodeFunctionResult, encodeFunctionData, toHex } from "viem"
import { afterAll, beforeAll, expect, it } from "vitest"
import { NATIVE, routerAbi, routerCall, WHOLE } from "../engine/trade/contract/router-call.ts"
import { devchainRouter, withDevchainFacts } from "../src/bin/devchain-facts.ts"
import { base } from "../src/domain/chains/base.ts"
import type { Hex } from "../src/platform/anvil-rpc.ts"
import { quoterV2Abi } from "../streams/sources/devchain/abi.ts"
import { openDevchain, type TestDevchain } from "./support/devchain.ts"

const ONE = 10n ** 18n

let own: TestDevchain
beforeAll(async () => {
  own = await openDevchain({ chain: "base", router: devchainRouter("base") })
})
afterAll(() => own?.remove())

it("stands at the address that the devchain tells, and trades its pools", async () => {
  const { rpc, contracts, pools, routers } = own.devchain
  const { router, quoterV2 } = contracts
  expect(routers).toContain(router)
  expect(withDevchainFacts(base).routers).toContain(router)
  const weth = base.nativeToken as Hex
  const pool = pools.find(({ kind, token1 }) => kind === "v3" && token1 === weth)
  if (pool === undefined) throw new Error("no pool")
  const { fee, token0 } = pool
  const ask = async (to: Hex, data: Hex, value = 0n): Promise<Hex> => {
    const [from] = await Effect.runPromise(rpc.call("eth_accounts"))
    if (from === undefined) throw new Error("no account")
    return Effect.runPromise(
      rpc.call("eth_call", { from, to, data, value: toHex(value) }, "latest")
    )
  }
  const recipient: Hex = "0x00000000000000000000000000000000000000aa"
  const range = { kind: "uniswap-v3", fee, factory: contracts.v3Factory } as const
  const order = {
    ...{ tokenIn: NATIVE, amountIn: ONE, tokenOut: token0, minimumOut: 1n, recipient },
    deadline: 4_000_000_000n,
    legs: [
      { kind: "wrap", pool: weth, tokenIn: NATIVE, tokenOut: weth, share: WHOLE },
      { ...range, pool: pool.address, tokenIn: weth, tokenOut: token0, share: WHOLE }
    ]
  } as const
  const { data, value } = routerCall(order, null)
  const functionName = "quoteExactInputSingle"
  const asked = { tokenIn: weth, tokenOut: token0, amountIn: ONE, fee, sqrtPriceLimitX96: 0n }
  const quote = encodeFunctionData({ abi: quoterV2Abi, functionName, args: [asked] })
  const answer = await ask(quoterV2, quote)
  const [quoted] = decodeFunctionResult({ abi: quoterV2Abi, functionName, data: answer })
  expect(BigInt(await ask(router, data, value))).toBe(quoted)
  const wrapped = encodeFunctionData({ abi: routerAbi, functionName: "wrappedNative" })
  expect(BigInt(await ask(router, wrapped))).toBe(BigInt(weth))
})
