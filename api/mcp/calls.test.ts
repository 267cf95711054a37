/** How tools are named, what they take, and how the parts of a long answer are counted. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { allChains } from "../../src/domain/chains/registry.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { callTool } from "../../test/support/mcp-call.ts"
import { inBase58 } from "../../test/support/route-urls.ts"
import { nearTools } from "./near-tools.ts"
import { operationFor, tools } from "./tools.ts"

const TOKEN = `0x${"ab".repeat(20)}`
const OTHER = `0x${"cd".repeat(20)}`

type Json = Readonly<Record<string, unknown>>

const lane = new FakeLane(chainConfig(8453, "base"))
const ofSolana = new FakeLane(solana)
let api: TestApi
beforeAll(async () => {
  api = await startApi([lane, ofSolana])
})
afterAll(() => api.close())
beforeEach(() => {
  lane.requests.length = 0
  lane.respond = () => ({})
})

const call = (name: string, args: Json) => callTool(api.url, name, args)

describe("a tool that there is not", () => {
  it("is answered with those that have its word, and with none for all having the prefix", () => {
    // names of its own: a tool that is added must not break it
    const names = ["token_trades", "wallet_trades", "token_holders", "rules"]
    expect(nearTools("swaptape_trades", names)).toEqual([
      "swaptape_token_trades",
      "swaptape_wallet_trades"
    ])
    expect(nearTools("swaptape_holders", names)).toEqual(["swaptape_token_holders"])
    expect(nearTools("holder", names)).toEqual(["swaptape_token_holders"])
    expect(nearTools("swaptape_candels")).toEqual(["swaptape_candles"])
    expect(nearTools("swaptape_weather")).toEqual([])
    expect(nearTools(`swaptape_${"s".repeat(5000)}`)).toEqual([])
  })
})

describe("an argument", () => {
  const answers = async (name: string, args: Json, request: Json, by = lane) => {
    expect(await call(name, args)).toMatchObject({ isError: false })
    expect(by.requests.at(-1)?.params).toMatchObject(request)
  }

  it("that is the id of a chain means of every tool what its key does", () => {
    const all = [...tools().values()]
    const own: Array<string> = []
    for (const { key, id } of allChains) {
      const by = (word: string) => all.map(tool => operationFor(tool, word)?.path)
      expect(by(String(id)), key).toEqual(by(key))
      expect(by(key.toUpperCase()), key).toEqual(by(key))
      own.push(...by(key).flatMap(path => (path?.includes("/chains/solana/") ? [key] : [])))
    }
    expect(new Set(own)).toEqual(new Set(["solana"]))
    expect(all.map(tool => operationFor(tool, "constructor")?.path)).toEqual(
      all.map(tool => operationFor(tool, "base")?.path)
    )
  })

  it("is called alike of all tools that take it", () => {
    for (const [name, tool] of tools()) {
      const taken = Object.keys(tool.listed.inputSchema.properties ?? {})
      expect(taken, name).not.toContain("address")
      const operation = operationFor(tool, "base") ?? operationFor(tool, "rh")
      const path = (operation ?? operationFor(tool, "solana"))?.path ?? ""
      const [, of] = /\/(token|wallet)s?\/(?:\w+\/)?\{address\}/.exec(path) ?? []
      if (of !== undefined) expect(taken, name).toContain(of)
    }
  })

  it("that is a token, a wallet or a pool may be called address of a tool that is about it", async () => {
    for (const name of ["token", "address"]) {
      const of = { [name]: TOKEN }
      await answers("token_tape", { chain: "base", limit: 2, ...of }, { token: TOKEN })
      await answers("token_trades", { chain: "8453", ...of }, { token: TOKEN })
      await answers("price_explain", { chain: "8453", ...of }, { token: TOKEN })
    }
    for (const name of ["wallet", "address"]) {
      await answers("wallet", { chain: "base", [name]: TOKEN }, { wallet: TOKEN })
    }
    const account = inBase58(TOKEN)
    const owner = { wallet: account, pool: null }
    await answers("liquidity_positions", { wallet: account }, owner, ofSolana)
    const of = { token: account, wallet: null, pool: null }
    await answers("liquidity_events", { token: account }, of, ofSolana)
    const ofOne = { chain: "8453", token: TOKEN, wallet: OTHER }
    await answers("token_trades", ofOne, { token: TOKEN, wallet: OTHER })
  })

  it("that may be one or another is not guessed at", async () => {
    for (const [name, choices, args] of [
      ["candles", "token or pool", { chain: "base" }],
      ["candles", "token or pool", { chain: "base", pool: OTHER }],
      ["candle_proof", "token or pool", { chain: "base", t: 60 }],
      ["liquidity_events", "token or wallet or pool", {}],
      ["liquidity_positions", "wallet or pool", {}]
    ] as const) {
      const { isError, told } = await call(name, { ...args, address: TOKEN })
      expect({ isError, ...told }).toEqual({
        isError: true,
        error: "INVALID_PARAMS",
        message: `address may be more than one thing here: send it as ${choices}`
      })
    }
    expect(lane.requests).toEqual([])
  })

  it("that is told twice, or may be meant for one that lacks, is named", async () => {
    const twice = await call("token_tape", { chain: "base", address: TOKEN, token: OTHER })
    expect(twice.told["message"]).toBe("address is the token here: send token alone")
    const mistyped = await call("token_tape", { chain: "base", adress: TOKEN })
    expect(mistyped.told["message"]).toMatch(
      /^token is required: .*; there is no parameter "adress" here$/
    )
  })

  it("that no argument is called is refused with those that there are, the tool's own too", async () => {
    const near = await call("trending", { chain: "base", max_bytes: 5000 })
    expect(near.told["message"]).toBe(
      'there is no parameter "max_bytes" here; did you mean maxBytes?'
    )
    const other = await call("chains", { colour: "x" })
    expect(other.told["message"]).toBe(
      'there is no parameter "colour" here; this tool takes maxBytes, cursor'
    )
  })
})

describe("a part of an answer", () => {
  const ALL = 120
  const row = (i: number) => ({ ts: 1_700_000_000 - i, block: ALL - i, logIndex: 3, tx: TOKEN })

  it("counts its rows from the first part on, where the route goes on by itself, too", async () => {
    lane.respond = ({ params }) => {
      const from = params["beforeBlock"] == null ? 0 : ALL - Number(params["beforeBlock"]) + 1
      const to = Math.min(ALL, from + Number(params["limit"]))
      return { trades: Array.from({ length: to - from }, (_, i) => row(from + i)) }
    }
    const args = { chain: "base", address: TOKEN, limit: 100, maxBytes: 4096 }
    let [shown, cursor]: [number, unknown] = [0, undefined]
    const cuts: Array<string> = []
    do {
      const { told } = await call("token_tape", { ...args, ...(shown > 0 && { cursor }) })
      const { length } = told["trades"] as ReadonlyArray<unknown>
      expect(told["cut"]).toContain(`trades ${shown + 1} to ${shown + length} of 100.`)
      cuts.push(String(told["cut"]).slice(0, 9))
      shown += length
      cursor = told["cursor"]
    } while (cursor !== undefined)
    expect(shown).toBe(100)
    expect(new Set(cuts.slice(0, -1))).toEqual(new Set(["Cut to 40"]))
    expect(cuts.at(-1)).toBe("The rest:")
    expect(cuts.length).toBeGreaterThan(2)
  })
})
