/** The MCP server as the protocol's own client sees it, over a lane with all that routes tell. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type { CallToolResult, ReadResourceResult } from "@modelcontextprotocol/sdk/types.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { readerOf, startApi, type TestApi } from "../../test/support/api-server.ts"
import { fakeTrade } from "../../test/support/fake-trade.ts"
import { MemoryLane } from "../../test/support/memory-lane.ts"
import { forkedMarket, routeChains } from "../../test/support/route-world.ts"
import { random } from "../../test/support/seed.ts"
import { isOfSolana, toolArguments } from "../../test/support/tool-arguments.ts"
import { endpoints } from "../endpoints.ts"
import { operations } from "./operations.ts"
import { toolTable } from "./tool-table.ts"
import { tools } from "./tools.ts"

// of blocks of more than a second or two under any seed: lists of candles are to be cut
const world = forkedMarket("mcp", random("mcp", "swaptape"), 12)
const TOKEN = world.market.tokens[2]?.address ?? ""
const NOBODY = `0x${"77".repeat(20)}`

let api: TestApi
let client: Client
const lanes: Array<MemoryLane> = []
let wallet = NOBODY
let minute = 0
let quoteId = ""

const connected = async (): Promise<Client> => {
  const one = new Client({ name: "test", version: "1.0.0" })
  // its types do not know of exact optional properties
  const transport = new StreamableHTTPClientTransport(new URL(`${api.url}/v1/mcp`))
  await one.connect(transport as unknown as Parameters<Client["connect"]>[0])
  return one
}

beforeAll(async () => {
  for (const config of routeChains(world.market) as ReadonlyArray<ChainConfig>) {
    const lane = new MemoryLane(config, world.log)
    await lane.start()
    await lane.fold(world.log.segments.length)
    await lane.commit()
    lanes.push(lane)
  }
  api = await startApi(lanes, { trade: fakeTrade })
  const { trades } = await readerOf(api)(`/tokens/trades/${TOKEN}?chain=8453&limit=100`)
  const trade = trades.find((each: { readonly wallet: string | null }) => each.wallet !== null)
  wallet = trade.wallet
  minute = trade.ts - (trade.ts % 60)
  const order = `inputMint=${TOKEN}&outputMint=${NOBODY}&amount=1000`
  quoteId = (await readerOf(api)(`/meta/quote?chain=8453&${order}`)).quoteId
  client = await connected()
  // from now on the client checks every answer against the schema that the list has for its tool
  await client.listTools()
})
afterAll(async () => {
  await client.close()
  await api.close()
  for (const lane of lanes) await lane.close()
})

const call = async (name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  (await client.callTool({ name: `swaptape_${name}`, arguments: args })) as CallToolResult

type Json = Record<string, unknown>
const answerOf = ({ structuredContent }: CallToolResult): Json => structuredContent as Json

const textOf = ({ content: [first] }: CallToolResult): string =>
  first?.type === "text" ? first.text : ""

const errorOf = (result: CallToolResult): Json => {
  expect(result.isError).toBe(true)
  return JSON.parse(textOf(result)) as Json
}

const argsOf = (name: string, chain: string): Json =>
  toolArguments(name, chain, { token: TOKEN, wallet, other: NOBODY, minute, quoteId })

describe("the table of tools", () => {
  it("has every GET operation once, or it says why it is none", () => {
    const told = [...toolTable().values()].flatMap(of =>
      typeof of === "string" ? [of] : Object.values(of)
    )
    const none = endpoints().flatMap(({ tool, id }) => (typeof tool === "object" ? [id] : []))
    const hint = "`tool` of documented(): its name, or { none: why it is no tool }"
    expect([...told, ...none].toSorted(), hint).toEqual([...operations().keys()].toSorted())
  })

  it("makes at most 40 tools, each with words and schemas of its own", () => {
    expect(tools().size, "`tool: { none: why }`, here or elsewhere").toBeLessThanOrEqual(40)
    for (const [name, { listed }] of tools()) {
      expect(name).toMatch(/^swaptape_[a-z_]{3,20}$/)
      expect(listed.description?.length, name).toBeGreaterThan(20)
      expect(JSON.stringify(listed), name).not.toContain("#/components/")
    }
  })

  it("leaves the fields of answers to their routes", () => {
    for (const { answer } of operations().values()) {
      const fields = JSON.stringify(answer?.["properties"] ?? {})
      expect(fields).not.toContain('"cut":')
    }
  })
})

describe("the official client", () => {
  it("learns who it speaks with", () => {
    expect(client.getServerVersion()).toMatchObject({ name: "swaptape", version: "0.1.0" })
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} })
    expect(client.getInstructions()).toContain("swaptape_chains")
  })

  it("lists the tools that tools.json lists", async () => {
    const { tools: listed } = await client.listTools()
    const manifest = await readerOf(api)("/mcp/tools.json")
    expect(manifest).toMatchObject({
      name: "swaptape",
      version: "0.1.0",
      base_url: `${api.url}/v1`,
      mcp: `${api.url}/v1/mcp`,
      auth: { header: "X-API-Key", required: false }
    })
    expect(manifest.tools).toEqual(
      listed.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema }
      }))
    )
    expect(JSON.stringify(manifest)).toMatch(/arbitrum.*ethereum/)
  })

  it.each([...toolTable().keys()])(
    "calls swaptape_%s, and its answer fits the schema",
    async name => {
      const of = toolTable().get(name)
      const chains = typeof of === "string" ? ["8453"] : Object.keys(of ?? {})
      for (const chain of chains.map(each => (each === "keyed" ? "base" : each))) {
        const args = argsOf(name, chain)
        const result = await call(name, { ...args, maxBytes: 128 * 1024 })
        expect([chain, result.isError === true ? textOf(result) : "well"]).toEqual([chain, "well"])
        expect(JSON.parse(textOf(result))).toEqual(result.structuredContent)
        expect(result._meta).toMatchObject({ "X-Engine": "0.1.0" })
      }
    }
  )

  it("may name the chain of a tool that has one alone, or leave it out", async () => {
    const names = [...toolTable().keys()].filter(isOfSolana)
    expect(names.toSorted()).toEqual([
      ...["day_traders", "liquidity_events", "liquidity_pools", "liquidity_positions"],
      ...["smart_traders", "token_traders"]
    ])
    for (const name of names) {
      const { chain, ...args } = argsOf(name, "Solana")
      expect([name, chain]).toEqual([name, "Solana"])
      expect(answerOf(await call(name, args))).toMatchObject({ chain: "solana" })
      expect(errorOf(await call(name, { ...args, chain: "base" }))).toMatchObject({
        error: "UNSUPPORTED_CHAIN",
        message: `swaptape_${name} answers for no chain base: send chain, by key or id: solana`
      })
    }
    const pools = answerOf(await call("liquidity_pools", { chain: "solana", limit: 2 }))
    const response = await fetch(`${api.url}/v1/chains/solana/liquidity/pools?limit=2`)
    expect(pools).toEqual(await response.json())
    expect((pools["pools"] as ReadonlyArray<Json>).length).toBe(2)
  })

  it("gets what HTTP gives, with the position that it reflects", async () => {
    const path = `/v1/chains/base/token/${TOKEN}/trades?limit=7`
    const response = await fetch(api.url + path, { headers: { "accept-encoding": "identity" } })
    const result = await call("token_tape", { chain: "base", address: TOKEN, limit: 7 })
    expect(answerOf(result)).toEqual(await response.json())
    expect(result._meta).toEqual({
      "X-Log": response.headers.get("x-log"),
      "X-Log-Seq": Number(response.headers.get("x-log-seq")),
      "X-Engine": response.headers.get("x-engine"),
      ETag: response.headers.get("etag")
    })
    expect(Number(response.headers.get("x-log-seq"))).toBeGreaterThan(0)
  })

  it("is answered from the cache of HTTP", async () => {
    const args = { chain: "base", limit: 3 }
    await fetch(`${api.url}/v1/chains/base/trending?limit=3`)
    const { cacheHits } = api.counters
    await call("trending", args)
    expect(api.counters.cacheHits).toBe(cacheHits + 1)
  })

  it("passes fields through", async () => {
    const result = await call("token_tape", {
      chain: "8453",
      address: TOKEN,
      fields: ["ts", "usd"]
    })
    const rows = answerOf(result)["trades"] as ReadonlyArray<object>
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) expect(Object.keys(row).toSorted()).toEqual(["ts", "usd"])
  })

  it("answers one field a row in the form of the tool's schema, which the client checks", async () => {
    const told: Array<string> = []
    for (const [tool, { listed }] of tools()) {
      const { description = "" } = (listed.inputSchema.properties?.["fields"] ?? {}) as Json
      const words = /They are: ([\w, ]+)/.exec(String(description))?.[1]?.split(", ") ?? []
      const name = tool.replace("swaptape_", "")
      for (const field of words) {
        const chain = isOfSolana(name) ? "solana" : name.startsWith("stock") ? "rh" : "arc"
        const args = { ...argsOf(name, chain), fields: field }
        await call(name, args).catch(cause => told.push(`${name} ${field}: ${cause.message}`))
      }
    }
    expect(told).toEqual([])
  })
})

describe("what is wrong with a call", () => {
  it("is a result that says what to send", async () => {
    expect(
      errorOf(await call("token_tape", { chain: "base", address: TOKEN, limit: 501 }))
    ).toEqual({
      error: "BAD_LIMIT",
      message: 'limit must be an integer from 1 to 500, got "501"'
    })
    expect(errorOf(await call("trending", { chain: "base", limt: 5 }))).toEqual({
      error: "INVALID_PARAMS",
      message: 'there is no parameter "limt" here; did you mean limit?'
    })
    expect(errorOf(await call("token", { chain: "base" }))).toMatchObject({
      error: "INVALID_PARAMS",
      message: expect.stringMatching(/^token is required: /)
    })
    expect(errorOf(await call("overview"))).toMatchObject({
      message: expect.stringMatching(/^chain is required: .*arbitrum/)
    })
    expect(errorOf(await call("graduated", { chain: "base" }))).toMatchObject({
      error: "UNSUPPORTED_CHAIN",
      message: "swaptape_graduated answers for no chain base: send chain, by key or id: arc or rh"
    })
    expect(errorOf(await call("overview", { chain: "ethereum" }))).toMatchObject({
      error: "UNSUPPORTED_CHAIN",
      hint: "swaptape_chains lists the chains that are served here"
    })
    expect(errorOf(await call("candles", { chain: "8453", token: { a: 1 } }))).toEqual({
      error: "INVALID_PARAMS",
      message: "token must be text, a number or a list of words"
    })
    for (const maxBytes of [2047, 131_073, "many", 1.5]) {
      expect(errorOf(await call("rules", { maxBytes }))).toEqual({
        error: "INVALID_PARAMS",
        message: "maxBytes must be an integer from 2048 to 131072"
      })
    }
  })

  it("is an error of the protocol where there is no such tool, resource or prompt", async () => {
    await expect(call("chain")).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("did you mean swaptape_chains or swaptape_chain_status?")
    })
    await expect(client.readResource({ uri: "swaptape://nothing" })).rejects.toMatchObject({
      code: -32002
    })
    await expect(client.getPrompt({ name: "nothing" })).rejects.toMatchObject({ code: -32602 })
    await expect(
      client.getPrompt({ name: "look_into_wallet", arguments: { chain: "base" } })
    ).rejects.toMatchObject({ message: expect.stringContaining("address is required") })
  })
})

describe("an answer over its bytes", () => {
  /** All rows of a list, and how often it was cut, by cursors at 2,048 to 4,096 bytes. */
  const walk = async (name: string, args: Json, list: string) => {
    const rows: Array<unknown> = []
    let cursor: unknown
    let pages = 0
    do {
      const maxBytes = 2048 + ((pages * 512) % 2048)
      const page = { ...args, maxBytes, ...(cursor === undefined ? {} : { cursor }) }
      const result = await call(name, page)
      expect(textOf(result).length, textOf(result).slice(0, 200)).toBeLessThanOrEqual(maxBytes)
      expect(result.isError).toBe(undefined)
      const answer = answerOf(result)
      rows.push(...(answer[list] as ReadonlyArray<unknown>))
      cursor = answer["cursor"]
      pages++
    } while (cursor !== undefined)
    return { rows, pages }
  }
  const wholeOf = async (name: string, args: Json, list: string) => {
    const result = await call(name, { ...args, maxBytes: 128 * 1024 })
    expect(answerOf(result)).not.toHaveProperty("cursor")
    return answerOf(result)[list] as ReadonlyArray<unknown>
  }
  // by some seeds none of TOKEN's few pools sets a price
  const CANDLES = { chain: "8453", token: world.market.tokens[0]?.address, tf: "1m", fill: 1 }
  const LISTS: ReadonlyArray<readonly [string, Json, string]> = [
    ["token_tape", { chain: "base", address: TOKEN, limit: 150 }, "trades"],
    ["token_trades", { chain: "8453", address: TOKEN, limit: 100 }, "trades"],
    ["candles", CANDLES, "candles"],
    ["token_board", { chain: "base", includeUnlisted: true }, "tokens"],
    ["prints", { chain: "arc", limit: 60, fields: "ts,usd,tx" }, "prints"],
    ["chains", {}, "chains"]
  ]
  it.each(LISTS)("is cut, and cursors walk the whole list: %s", async (name, args, list) => {
    const { rows, pages } = await walk(name, args, list)
    const whole = await wholeOf(name, args, list)
    expect(pages).toBeGreaterThan(1)
    expect(rows).toEqual(whole)
  })

  it("says what was left out, and goes on by the route's own cursor", async () => {
    const args = { chain: "base", address: TOKEN, limit: 150, maxBytes: 4096 }
    const answer = answerOf(await call("token_tape", args))
    const rows = answer["trades"] as ReadonlyArray<Json>
    const last = rows.at(-1) ?? {}
    expect(answer["nextBefore"]).toBe(`${last["ts"]}:${last["block"]}:${last["logIndex"]}`)
    expect(answer["cut"]).toMatch(
      new RegExp(`^Cut to 4096 bytes: trades 1 to ${rows.length} of \\d+\\. For the rest send`)
    )
  })

  it("that is continued with other arguments, or damaged, is refused", async () => {
    const args = { ...CANDLES, maxBytes: 2048 }
    const { cursor } = answerOf(await call("candles", args)) as { cursor: string }
    expect(errorOf(await call("candles", { ...args, tf: "5m", cursor }))).toMatchObject({
      message: "cursor is of another call: send it with the arguments that it came from"
    })
    expect(errorOf(await call("candles", { ...args, cursor: cursor.slice(0, -9) }))).toMatchObject({
      message: "cursor is damaged: send it as it came"
    })
    expect(errorOf(await call("candles", { ...args, cursor: "5" }))).toMatchObject({
      message: "cursor is none that an answer gave: leave it out to begin anew"
    })
  })
})

describe("resources and prompts", () => {
  it("are read by their templates", async () => {
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([
      "swaptape://chains",
      "swaptape://status",
      "swaptape://rules"
    ])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "swaptape://chain/{chain}",
      "swaptape://chain/{chain}/token/{address}",
      "swaptape://chain/{chain}/wallet/{address}"
    ])
    const ofSolana = "swaptape://chain/solana/token/So11111111111111111111111111111111111111112"
    // its place is read, though nothing traded there
    await expect(client.readResource({ uri: ofSolana })).rejects.toThrow(/TOKEN_NOT_FOUND/)
    const made = ["base", "arc"].flatMap(chain => [
      [`swaptape://chain/${chain}`, "last24h"],
      [`swaptape://chain/${chain}/token/${TOKEN}`, "token"],
      [`swaptape://chain/${chain}/wallet/${wallet}`, "wallet"]
    ])
    for (const [uri = "", field = ""] of [...made, ["swaptape://rules", "wash"]]) {
      const { contents }: ReadResourceResult = await client.readResource({ uri })
      const [first] = contents
      expect(first).toMatchObject({ uri, mimeType: "application/json" })
      const text = first !== undefined && "text" in first ? first.text : ""
      expect(Object.keys(JSON.parse(text)), uri).toContain(field)
    }
  })

  it("prompts name tools that there are", async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual([
      "explain_token_price",
      "look_into_wallet",
      "compare_chains_volume"
    ])
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({
        name,
        arguments: { chain: "base", address: TOKEN }
      })
      const text = messages[0]?.content.type === "text" ? messages[0].content.text : ""
      if (name !== "compare_chains_volume") expect(text).toContain(TOKEN)
      for (const [tool] of text.matchAll(/swaptape_\w+/g)) {
        expect([tool, tools().has(tool)]).toEqual([tool, true])
      }
    }
  })

  it("are told by the card", async () => {
    const card = await readerOf(api)("/mcp/server-card")
    expect(card).toMatchObject({
      name: "swaptape",
      protocolVersion: "2025-11-25",
      transport: { type: "streamable-http", endpoint: `${api.url}/v1/mcp` }
    })
    expect(card.tools.length).toBe(tools().size)
    expect(card.prompts.length).toBe(3)
  })
})
