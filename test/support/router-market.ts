/**
 * The router contract on an Anvil, with the real Uniswap contracts and test pools beside it. The
 * chain's owner trades and provides liquidity; its tokens are allowed to the router.
 */
import { type Abi, decodeErrorResult, type Hex as ViemHex } from "viem"
import { deploymentData } from "../../engine/trade/contract/deployment.ts"
import {
  NATIVE,
  type RouterOrder,
  routerAbi,
  routerCall,
  type SignedPermit
} from "../../engine/trade/contract/router-call.ts"
import type { Hex } from "../../src/platform/anvil-rpc.ts"
import { creationCode } from "../../streams/sources/devchain/contract-code.ts"
import { openAnvilChain } from "./anvil-chain.ts"
import { testContract } from "./test-pools.ts"
import { deployV4 } from "./v4-market.ts"

const MAX = 2n ** 256n - 1n
const GAS = 12_000_000

export interface CallOptions {
  readonly from?: Hex
  readonly value?: bigint
}

/** What a call would do: its answer, or the data of its revert. */
type Outcome = { readonly ok: true; readonly answer: Hex } | { readonly ok: false; data: Hex }

const asker =
  (url: string) =>
  async (to: Hex, data: Hex, { from, value = 0n }: CallOptions = {}): Promise<Outcome> => {
    const request = { ...(from && { from }), to, data, value: `0x${value.toString(16)}` }
    const body = { jsonrpc: "2.0", id: 1, method: "eth_call", params: [request, "latest"] }
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const { result, error } = (await response.json()) as {
      readonly result?: Hex
      readonly error?: { readonly data?: Hex }
    }
    return result === undefined
      ? { ok: false, data: error?.data ?? "0x" }
      : { ok: true, answer: result }
  }

/** The error of the router's that revert data tells, as `Name(arguments)`; else the data. */
export const errorOf = (data: Hex): string => {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: routerAbi as Abi, data })
    return `${errorName}(${(args as ReadonlyArray<unknown>).join(", ")})`.toLowerCase()
  } catch {
    return data
  }
}

type Chain = Awaited<ReturnType<typeof openAnvilChain>>

/** The router, its tokens, their holders, and Uniswap V4. */
const deployAll = async (chain: Chain) => {
  const { owner, send, mine, deploy } = chain
  const token = testContract("BareToken")
  const made: Array<Hex> = []
  for (let i = 0; i < 3; i++) made.push(await deploy(token.code()))
  const [a, b, c] = made.sort() as [Hex, Hex, Hex]
  const six = await deploy(testContract("Token").code("Dollar", "USD", 6))
  const weth = await deploy(creationCode("WETH9"))
  const permit2 = await deploy(testContract("TestPermit2").code())
  const account = testContract("TestAccount")
  const victim = await deploy(account.code())
  const provider = await deploy(testContract("TestProvider").code())
  const v4 = await deployV4(chain)
  const given = { wrappedNative: weth, permit2, poolManager: v4.poolManager }
  const router = await deploy(deploymentData(given))
  // deposit()
  await send(weth, "0xd0e30db0", undefined, 5_000n * 10n ** 18n)
  for (const one of [a, b, c, six]) {
    for (const holder of [owner, victim, provider]) {
      await send(one, token.call("mint", holder, 10n ** 30n))
    }
    const allow = token.call("approve", router, MAX)
    await send(victim, account.call("run", one, 0n, allow))
  }
  for (const one of [a, b, c, six, weth]) {
    for (const to of [router, permit2, v4.liquidity])
      await send(one, token.call("approve", to, MAX))
  }
  await send(weth, token.call("transfer", provider, 2_000n * 10n ** 18n))
  await mine()
  return { ...v4, a, b, c, six, weth, permit2, victim, provider, router }
}

export type RouterMarket = Awaited<ReturnType<typeof openRouterMarket>>

export const openRouterMarket = async () => {
  const chain = await openAnvilChain()
  const { owner, send, receipts } = chain
  const ask = asker(chain.url)
  const deployed = await deployAll(chain)
  const { victim, router } = deployed
  const token = testContract("BareToken")
  const account = testContract("TestAccount")

  const word = async (to: Hex, data: Hex): Promise<bigint> => {
    const outcome = await ask(to, data)
    if (!outcome.ok) throw new Error(`a call of ${to} failed: ${outcome.data}`)
    return BigInt(outcome.answer)
  }
  /** In raw units; the zero address is the native unit. */
  const balanceOf = (of: Hex, holder: Hex): Promise<bigint> =>
    of === NATIVE
      ? word(victim, account.call("nativeOf", holder))
      : word(of, token.call("balanceOf", holder))
  const allowance = (of: Hex, holder: Hex, spender: Hex): Promise<bigint> =>
    word(of, token.call("allowance", holder, spender))
  /** Sends a call, mines it, and gives the gas used; throws where it fails. */
  const transact = async (to: Hex | null, data: Hex, value = 0n): Promise<number> => {
    await send(to, data, GAS, value)
    const [receipt] = await receipts()
    if (receipt?.status !== "0x1") throw new Error(`a call of ${to} failed`)
    return Number(receipt.gasUsed)
  }
  const order = (
    of: Partial<RouterOrder> & Pick<RouterOrder, "tokenIn" | "tokenOut" | "legs">
  ) => ({
    amountIn: 10n ** 18n,
    minimumOut: 1n,
    recipient: owner as ViemHex,
    deadline: 4_000_000_000n,
    ...of
  })
  /** What an order by the owner would do: what it would give, or the name of its error. */
  const tried = async (
    one: RouterOrder,
    { permit = null, ...options }: CallOptions & { permit?: SignedPermit | null } = {}
  ): Promise<bigint | string> => {
    const { data, value } = routerCall(one, permit)
    const outcome = await ask(router, data, { from: owner, value, ...options })
    return outcome.ok ? BigInt(outcome.answer) : errorOf(outcome.data)
  }
  /** Executes an order by the owner: what arrived, and the gas it took. */
  const execute = async (one: RouterOrder, permit: SignedPermit | null = null) => {
    const { data, value } = routerCall(one, permit)
    const before = await balanceOf(one.tokenOut, one.recipient)
    const told = await tried(one, { permit })
    if (typeof told === "string") throw new Error(told)
    const gas = await transact(router, data, value)
    return { received: (await balanceOf(one.tokenOut, one.recipient)) - before, told, gas }
  }
  return {
    ...chain,
    ...deployed,
    ...{ ask, balanceOf, allowance, transact, order, tried, execute }
  }
}
