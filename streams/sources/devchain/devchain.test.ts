import { Effect } from "effect"
import { decodeFunctionResult, encodeFunctionData, getAddress, keccak256, parseAbi } from "viem"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Hex, RpcReceipt } from "../../../src/platform/anvil-rpc.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "../../../test/support/devchain.ts"
import { erc20Abi, quoterV2Abi, v2PairAbi, v3FactoryAbi, v3PoolAbi } from "./abi.ts"
import { creationCode } from "./contract-code.ts"
import type { Devchain } from "./devchain.ts"
import { V2_INIT_CODE_HASH, V3_INIT_CODE_HASH } from "./network.ts"
import { visitorOf } from "./wallets.ts"

const V2_SWAP = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822"
const V3_SWAP = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67"

/** Topics that must all occur in some blocks of trades. */
const EXPECTED_TOPICS: { readonly [name: string]: string } = {
  "V2 swap": V2_SWAP,
  "V2 sync": "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1",
  "V2 mint": "0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f",
  "V2 burn": "0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496",
  "V3 swap": V3_SWAP,
  "V3 mint": "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde",
  "V3 burn": "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c",
  "V3 collect": "0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0",
  "V2 pair created": "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9",
  "V3 pool created": "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
  "V3 initialize": "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95",
  transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
}

const call = (devchain: Devchain, to: Hex, data: Hex) =>
  Effect.runPromise(devchain.rpc.call("eth_call", { to, data }, "latest"))

/** Reads a view function without arguments; null where the contract has none. */
const read = async (devchain: Devchain, to: Hex, signature: string): Promise<unknown> => {
  const abi = parseAbi([`function ${signature}`] as ReadonlyArray<string>) as never
  const answer = await call(devchain, to, encodeFunctionData({ abi } as never)).catch(() => null)
  return answer === null || answer === "0x"
    ? null
    : decodeFunctionResult({ abi, data: answer } as never)
}

const receipts = async (devchain: Devchain): Promise<ReadonlyArray<RpcReceipt>> => {
  const head = devchain.head().number
  const all = await Effect.runPromise(
    devchain.rpc.batch(
      Array.from(
        { length: head },
        (_, i) => ["eth_getBlockReceipts", `0x${(i + 1).toString(16)}` as Hex] as const
      )
    )
  )
  return all.flat()
}

describe.each([
  [
    "base",
    8453,
    "0x4200000000000000000000000000000000000006",
    "WETH",
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
  ],
  [
    "arc",
    5042,
    "0x128cc466b61f542da60c70e3aa11c10e19b84edb",
    "wETH",
    "0x3600000000000000000000000000000000000000"
  ]
] as const)("%s", (chain, chainId, ether, etherSymbol, dollar) => {
  let opened: TestDevchain
  let all: ReadonlyArray<RpcReceipt>
  beforeAll(async () => {
    opened = await openDevchain({ chain })
    await mineBlocks(opened.devchain, 60)
    all = await receipts(opened.devchain)
  })
  afterAll(() => opened.remove())

  test("is the chain it stands for, with its anchors at their addresses", async () => {
    const { devchain } = opened
    expect(devchain.chainId).toBe(chainId)
    expect(await read(devchain, ether, "symbol() view returns (string)")).toBe(etherSymbol)
    expect(await read(devchain, ether, "decimals() view returns (uint8)")).toBe(18)
    expect(await read(devchain, dollar, "symbol() view returns (string)")).toBe("USDC")
    expect(await read(devchain, dollar, "decimals() view returns (uint8)")).toBe(6)
  })

  test("a visitor has what can be sold: native units, or their ERC-20 view", async () => {
    const { devchain } = opened
    const visitor = visitorOf(await Effect.runPromise(devchain.rpc.call("eth_accounts")))
    const args = [visitor] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args })
    const held = BigInt(await call(devchain, dollar, data))
    expect(held).toBe(chain === "arc" ? 10_000_000_000n : 0n)
  })

  test("tokens say of themselves what the list says, or nothing", async () => {
    const { devchain } = opened
    const decimals = new Set<number | null>()
    let bytes32 = 0
    for (const token of devchain.tokens) {
      decimals.add(token.decimals)
      const said = await read(devchain, token.address, "decimals() view returns (uint8)")
      expect(said).toBe(token.decimals)
      const symbol = await call(
        devchain,
        token.address,
        encodeFunctionData({ abi: erc20Abi, functionName: "symbol" })
      ).catch(() => null)
      if (symbol === null) expect(token.decimals).toBeNull()
      else if (symbol.length === 66) {
        bytes32 += 1
        expect(Buffer.from(symbol.slice(2), "hex").toString().replaceAll("\0", "")).toBe(
          token.symbol
        )
      } else {
        const data = symbol
        expect(decodeFunctionResult({ abi: erc20Abi, functionName: "symbol", data })).toBe(
          token.symbol
        )
      }
    }
    expect(decimals).toEqual(new Set([6, 8, 9, 18, null]))
    expect(bytes32).toBe(1)
    expect(devchain.tokens.length).toBeGreaterThanOrEqual(15)
  })

  test("every pool is where CREATE2 puts it, made by the canonical factory", async () => {
    const { devchain } = opened
    expect(keccak256(creationCode("UniswapV2Pair"))).toBe(V2_INIT_CODE_HASH)
    expect(keccak256(creationCode("UniswapV3Pool"))).toBe(V3_INIT_CODE_HASH)
    const { v2Factory, v3Factory } = devchain.contracts
    for (const pool of devchain.pools) {
      const factory = await read(devchain, pool.address, "factory() view returns (address)")
      expect(factory).toBe(getAddress(pool.kind === "v2" ? v2Factory : v3Factory))
      expect(await read(devchain, pool.address, "token0() view returns (address)")).toBe(
        getAddress(pool.token0)
      )
    }
    const v3 = devchain.pools.filter(pool => pool.kind === "v3")
    for (const { token0, token1, fee, address } of v3) {
      const data = await call(
        devchain,
        v3Factory,
        encodeFunctionData({
          abi: v3FactoryAbi,
          functionName: "getPool",
          args: [token0, token1, fee]
        })
      )
      expect(decodeFunctionResult({ abi: v3FactoryAbi, functionName: "getPool", data })).toBe(
        getAddress(address)
      )
    }
    expect(new Set(v3.map(pool => pool.fee))).toEqual(new Set([100, 500, 3000, 10000]))
  })

  test("sixty blocks hold every kind of event, multi-hop swaps, and hardly a failure", () => {
    const topics = new Set(all.flatMap(receipt => receipt.logs.map(log => log.topics[0])))
    for (const [name, topic] of Object.entries(EXPECTED_TOPICS)) {
      expect(topics.has(topic as Hex), name).toBe(true)
    }
    const hops = (topic: string) =>
      all.map(receipt => receipt.logs.filter(log => log.topics[0] === topic).length)
    expect(Math.max(...hops(V2_SWAP))).toBeGreaterThanOrEqual(2)
    expect(Math.max(...hops(V3_SWAP))).toBeGreaterThanOrEqual(2)
    const failed = all.filter(receipt => receipt.status !== "0x1").length
    expect(failed).toBeGreaterThan(0)
    expect(failed / all.length).toBeLessThan(0.04)
    const wallets = new Set(all.map(receipt => receipt.from))
    expect(wallets.size).toBeGreaterThan(40)
  })

  test("pool states are those of the last events, and the quoter quotes", async () => {
    const { devchain } = opened
    const last = new Map<string, Hex>()
    for (const { logs } of all) {
      for (const { address, topics, data } of logs) {
        if (topics[0] === V3_SWAP || topics[0] === EXPECTED_TOPICS["V2 sync"])
          last.set(address, data)
      }
    }
    let checked = 0
    for (const pool of devchain.pools) {
      const data = last.get(pool.address)
      if (data === undefined) continue
      const word = (i: number) => BigInt(`0x${data.slice(2 + 64 * i, 66 + 64 * i)}`)
      checked += 1
      if (pool.kind === "v2") {
        const said = await call(
          devchain,
          pool.address,
          encodeFunctionData({ abi: v2PairAbi, functionName: "getReserves" })
        )
        expect(
          decodeFunctionResult({ abi: v2PairAbi, functionName: "getReserves", data: said }).slice(
            0,
            2
          )
        ).toEqual([word(0), word(1)])
        continue
      }
      const said = await call(
        devchain,
        pool.address,
        encodeFunctionData({ abi: v3PoolAbi, functionName: "slot0" })
      )
      expect(decodeFunctionResult({ abi: v3PoolAbi, functionName: "slot0", data: said })[0]).toBe(
        word(2)
      )
      const { token0: tokenIn, token1: tokenOut, fee } = pool
      const params = { tokenIn, tokenOut, fee, amountIn: 1_000_000n, sqrtPriceLimitX96: 0n }
      const quote = await call(
        devchain,
        devchain.contracts.quoterV2,
        encodeFunctionData({
          abi: quoterV2Abi,
          functionName: "quoteExactInputSingle",
          args: [params]
        })
      )
      expect(
        decodeFunctionResult({
          abi: quoterV2Abi,
          functionName: "quoteExactInputSingle",
          data: quote
        })
      ).toHaveLength(4)
    }
    expect(checked).toBeGreaterThan(20)
  })
})
