import { afterAll, describe, expect, it } from "vitest"
import { type FakeLog, pairCreatedLog } from "../../../test/support/fake-logs.ts"
import {
  address,
  chain,
  hashOf,
  line,
  PAIR,
  read,
  sourceFiles,
  sync,
  USDC,
  WETH
} from "../../../test/support/source-files.ts"
import { countKinds, drain } from "../../../test/support/tape-input.ts"
import { makeFileSource } from "./file-source.ts"

const { file, remove } = sourceFiles()
afterAll(remove)

describe("facts without a node", () => {
  const rows = () => [file([line(1, 0, sync(1))])]

  it("prove a pool by CREATE2 where its tokens are known", async () => {
    const tokens = file([
      {
        address: WETH.toUpperCase().replace("0X", "0x"),
        symbol: "WETH",
        name: "Wrapped",
        decimals: 18
      }
    ])
    const { events } = await read(rows(), { tokens: [tokens] })
    expect(events.slice(0, 3)).toMatchObject([
      { kind: "TokenSeen", token: USDC, symbol: "USDC", decimals: 6, source: "registry" },
      { kind: "TokenSeen", token: WETH, symbol: "WETH", decimals: 18, source: "file" },
      {
        kind: "PoolCreated",
        pool: PAIR,
        venueKind: "uniswap-v2",
        factory: chain.venues[0]?.factory,
        tokens: [USDC, WETH],
        fee: 3000,
        source: "create2"
      }
    ])
  })

  it("stay unknown where they are", async () => {
    expect(countKinds((await read(rows())).events)).toEqual({ ReservesSynced: 1, BlockSealed: 1 })
  })

  it("come from CSV and JSON arrays too, without decimals as unknown", async () => {
    const log = pairCreatedLog(address(5), address(1), address(2), address(3))
    const csv = file(
      ["Address,symbol,name,decimals", `${address(1)},"A,B","a ""b""",`, `${address(2)},X,,8`],
      "tokens.csv"
    )
    const json = file(["[", JSON.stringify({ address: address(2), symbol: "X", decimals: 8 }), "]"])
    const fromCsv = await read([file([line(1, 0, log)])], { tokens: [csv] })
    expect(fromCsv.events.filter(event => event.kind === "TokenSeen")).toMatchObject([
      { symbol: "A,B", name: 'a "b"', decimals: null },
      { symbol: "X", name: null, decimals: 8 }
    ])
    const fromJson = await read([file([line(1, 0, log)])], { tokens: [json] })
    expect(fromJson.events.filter(event => event.kind === "TokenSeen")).toMatchObject([
      { token: address(2), symbol: "X", decimals: 8 }
    ])
  })

  it("name an anchor as the file does, and count the first row of a token, told of the others", async () => {
    const rows = ["address,symbol,name,decimals", `${USDC},FAKE,USD Coin,18`, `${WETH},WETH,,18`]
    const first = file([...rows, `${WETH},OTHER,,8`], "tokens.csv")
    const second = file([{ address: WETH, symbol: "WETH", decimals: 18 }], "more.jsonl")
    const logs = [file([line(1, 0, sync(1))])]
    const source = makeFileSource({ chain, files: logs, tokens: [first, second] })
    const { events, error } = await drain(source)
    expect(error).toBeNull()
    expect(events.slice(0, 2)).toMatchObject([
      { token: USDC, symbol: "USDC", name: "USD Coin", decimals: 6, source: "registry" },
      { token: WETH, symbol: "WETH", name: null, decimals: 18, source: "file" }
    ])
    const reason = `token ${WETH} stands in tokens.csv:3 already, which counts`
    expect(source.rejections()).toEqual([
      { file: "tokens.csv", line: 4, reason },
      { file: "more.jsonl", line: 1, reason }
    ])
    expect(source.progress().rejected).toBe(2)
  })

  it("come before the first swap that names its tokens itself", async () => {
    const vault = address(0xba)
    const wordOf = (token: string) => `0x${token.slice(2).padStart(64, "0")}` as const
    const swapIn = (tokenIn: string, tokenOut: string): FakeLog => ({
      address: vault,
      topics: [
        "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b",
        hashOf(77) as `0x${string}`,
        wordOf(tokenIn),
        wordOf(tokenOut)
      ],
      data: `0x${"5".padStart(64, "0")}${"6".padStart(64, "0")}`
    })
    const rows = [line(1, 0, swapIn(USDC, address(9))), line(1, 1, swapIn(WETH, USDC))]
    const tokens = file([{ address: WETH, symbol: "WETH", name: "Wrapped", decimals: 18 }])
    const balancer = { id: "balancer_v2", kind: "balancer-v2", factory: vault }
    const { events } = await read([file(rows)], {
      chain: { ...chain, venues: [balancer] },
      tokens: [tokens]
    })
    const shown = events.map(event => [event.kind, "token" in event ? event.token : null])
    expect(shown).toEqual([
      ["TokenSeen", USDC],
      ["SwapExecuted", null],
      ["TokenSeen", WETH],
      ["SwapExecuted", null],
      ["BlockSealed", null]
    ])
    expect(events[1]?.tx?.hash).toBe(hashOf(1000))
  })

  it.each([
    ["line 2: decimals are not 0 to 255", ["address,decimals", `${address(1)},300`]],
    ["line 2: no address", ["address,decimals", "0x12,3"]],
    ["line 2 has an open quote", ["address,symbol", `${address(1)},"x`]],
    ["neither JSON nor CSV", ["token,decimals"]],
    ["line 2 is not JSON", [{ address: address(1) }, "{"]]
  ])("are refused when malformed: %s", async (message, lines) => {
    const { error } = await read(rows(), { tokens: [file(lines)] })
    expect(error).toMatchObject({ fatal: true })
    expect(error?.message).toContain(message)
  })
})
