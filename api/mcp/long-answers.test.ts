/** Of every tool: that no answer is refused for its length, and what refusals say to send. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { solana } from "../../src/domain/chains/solana.ts"
import { leavesOf } from "../../test/support/answer-leaves.ts"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { callTool } from "../../test/support/mcp-call.ts"
import { inBase58 } from "../../test/support/route-urls.ts"
import { toolArguments } from "../../test/support/tool-arguments.ts"
import { argumentOf } from "./argument-names.ts"
import { writeCursor } from "./cursor.ts"
import { type Fitted, fitAnswer, type Offsets } from "./fit-answer.ts"
import { mapPlaces } from "./map-places.ts"
import { type JsonSchema, type Operation, operations, target } from "./operations.ts"
import { toolTable } from "./tool-table.ts"
import { MAX_BYTES, tools } from "./tools.ts"

type Json = Readonly<Record<string, unknown>>

const TOKEN = `0x${"ab".repeat(20)}`
// which boards of traders are made of
const respondFirst = () => ({ traders: [] })
const lanes = [
  ...[
    [8453, "base"],
    [5042, "arc"],
    [4663, "rh"]
  ].map(([id, key]) => new FakeLane(chainConfig(Number(id), String(key)), respondFirst)),
  new FakeLane(solana, respondFirst)
]
let api: TestApi
beforeAll(async () => {
  api = await startApi(lanes)
})
afterAll(() => api.close())
let seq = 0
const respond = (answer: Json) => {
  seq++
  for (const lane of lanes) {
    lane.respond = () => answer
    // what was answered before is kept for its position
    lane.commit(seq)
  }
}
beforeEach(() => respond({}))

const call = (name: string, args: Json) => callTool(api.url, name, args)

/** Parameters that a tool has. */
const taken = (name: string): ReadonlyArray<string> =>
  Object.keys(tools().get(`swaptape_${name}`)?.listed.inputSchema.properties ?? {})

/** All parts of a call's answer, each held to the bytes that it may have by default. */
const partsOf = async (name: string, args: Json): Promise<ReadonlyArray<Json>> => {
  const parts: Array<Json> = []
  for (let cursor: unknown = null; cursor !== undefined; ) {
    const { isError, text, told } = await call(name, { ...args, cursor })
    expect(isError, text).toBe(false)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES.default)
    parts.push(told)
    cursor = told["cursor"]
  }
  return parts
}

describe("a map of prices", () => {
  const price = (n: number) => ({
    ...{ priceUsd: 1.234567891 / (n + 1), priceTs: 1_700_000_000 + n, change24hPct: -0.123 },
    ...{ changeSince: 1_699_913_600, volume24h: 1000 - n, trades24h: 7, lastTradeTs: 1_700_000_000 }
  })
  const entriesOf = (count: number) =>
    Array.from({ length: count }, (_, n) => {
      const account = `0x${(count - n).toString(16).padStart(40, "0")}`
      return [inBase58(account), price(n)] as const
    })

  it.each([131, 1000])("of %i tokens is told in parts, in its order, with no argument", async n => {
    const entries = entriesOf(n)
    respond({ chain: 1_399_811_149, prices: Object.fromEntries(entries), total: n })
    const parts = await partsOf("market", { chain: "solana" })
    const counts = parts.map(({ prices }) => Object.keys(prices as Json).length)
    const [first = 0] = counts
    expect(first).toBeGreaterThan(50)
    expect(parts[0]?.["cut"]).toBe(
      `Cut to 24576 bytes: prices 1 to ${first} of ${n}. For the rest send the same arguments with this cursor.`
    )
    const last = n - (counts.at(-1) ?? 0)
    expect(parts.at(-1)?.["cut"]).toBe(`The rest: prices ${last + 1} to ${n} of ${n}.`)
    expect(parts.flatMap(({ prices }) => Object.entries(prices as Json))).toEqual(entries)
    for (const part of parts) expect(part).toMatchObject({ chain: 1_399_811_149, total: n })
  })

  it("may have as many bytes as its call says", async () => {
    respond({ prices: Object.fromEntries(entriesOf(131)) })
    const { told } = await call("market", { chain: "solana", maxBytes: MAX_BYTES.most })
    expect(told).toEqual({ prices: Object.fromEntries(entriesOf(131)) })
  })
})

describe("a row that does not fit", () => {
  it("is told in parts: a flag with all that it names", async () => {
    const wallets = Array.from({ length: 100 }, (_, n) => ({ wallet: TOKEN, trades: n, usd: n }))
    const newest = Array.from({ length: 200 }, (_, seq) => ({
      ...{ seq, block: seq, logIndex: 3, tx: `0x${"cd".repeat(32)}`, ts: 1_700_000_000 },
      ...{ wallet: TOKEN, usd: 12.5 }
    }))
    const flag = { flag: "wash", of: "token", wallets, prints: { count: 900, newest } }
    respond({ flags: [flag, { flag: "impostor", of: "token", protects: [] }], rules: "v1" })
    const parts = await partsOf("flags_explain", { chain: "base", token: TOKEN })
    expect(parts.length).toBeGreaterThan(2)
    expect(parts[0]?.["cut"]).toMatch(
      /^Cut to 24576 bytes: flags 1 to 1 of 2; flags\.0\.prints\.newest 1 to \d+ of 200\. For the/
    )
    const flags = parts.flatMap(part => part["flags"] as ReadonlyArray<typeof flag>)
    expect(flags.flatMap(({ prints }) => prints?.newest ?? [])).toEqual(newest)
    expect(flags[0]?.wallets).toEqual(wallets)
    expect(flags.at(-1)).toEqual({ flag: "impostor", of: "token", protects: [] })
  })
})

/** Rows of each list and entries of each map of samples. */
const SAMPLE_ROWS = 14

/** An answer of a schema's form, with so much in all its lists and maps that it is long. */
const sampleOf = (of: JsonSchema): unknown => {
  const schema = target(of)
  const { type, items, additionalProperties, properties = {} } = schema
  const [form] = (schema["anyOf"] ?? schema["allOf"] ?? []) as ReadonlyArray<JsonSchema>
  if (form !== undefined) return sampleOf(form)
  const rows = (row: JsonSchema) => Array.from({ length: SAMPLE_ROWS }, () => sampleOf(row))
  if (type === "array") return rows(items as JsonSchema)
  if (type === "object") {
    const declared = Object.entries(properties as { readonly [name: string]: JsonSchema })
    if (declared.length > 0) {
      return Object.fromEntries(declared.map(([name, each]) => [name, sampleOf(each)]))
    }
    const entries = rows((additionalProperties ?? {}) as JsonSchema)
    return Object.fromEntries(entries.map((each, n) => [`k${n}`, each]))
  }
  if (type === "boolean") return true
  return type === "number" || type === "integer" ? 1_700_000_000.25 : "x".repeat(66)
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** A part with the longest words and cursor that it may get. */
const withWords = ({ answer, cuts, rest }: Fitted): Json => {
  const told = cuts.map(({ path, from, to, total }) => `${path} ${from + 1} to ${to} of ${total}`)
  const ends =
    "Cut to 131072 bytes: . For the rest send the same arguments with this cursor. The log's position moved from 1000000000 to 1000000000 since the part before, so rows may come twice or lack."
  const [call, seq, digest, shown] = ["a".repeat(8), 1_000_000_000, "b".repeat(11), rest ?? {}]
  const cursor = writeCursor({ call, seq, digest, shown, next: null })
  return { ...answer, cut: ends + told.join("; "), cursor }
}

const operationsOf = (name: string): ReadonlyArray<Operation> => {
  const of = toolTable().get(name) ?? ""
  const ids = typeof of === "string" ? [of] : Object.values(of)
  return ids.map(id => operations().get(id) as Operation)
}

describe("an answer of every tool", () => {
  it.each([...toolTable().keys()])("is told in parts by default: swaptape_%s", name => {
    for (const operation of operationsOf(name)) {
      const answer = sampleOf(operation.answer ?? {}) as Json
      const got = new Map<string, unknown>()
      for (let offsets: Offsets | null = {}; offsets !== null; ) {
        const fitted = fitAnswer(answer, offsets, MAX_BYTES.default, mapPlaces(operation))
        if ("needs" in fitted) throw new Error(`${operation.path} needs ${fitted.needs} bytes`)
        expect(bytesOf(withWords(fitted))).toBeLessThanOrEqual(MAX_BYTES.default)
        for (const [path, leaf] of leavesOf(fitted.answer, fitted.cuts)) got.set(path, leaf)
        offsets = fitted.rest
      }
      expect(got).toEqual(new Map(leavesOf(answer, [])))
    }
  })

  it("has maps where its declaration has names that are data", () => {
    const places = [...operations().values()].map(
      each => [each.path, [...mapPlaces(each)]] as const
    )
    const told = Object.fromEntries(places)
    expect(told["/v1/tokens/market"]).toEqual(["prices"])
    expect(told["/v1/rules"]).toEqual(["price.thresholds", "smartTraders.thresholds"])
    expect(told["/v1/chains/solana/status"]).toEqual(["decode"])
    expect(told["/v1/status"]).toEqual(["lanes.*.source.grades"])
    expect(told["/v1/quote"]).toEqual([])
  })
})

describe("a refusal", () => {
  const about = (name: string, chain: string) => {
    const named = { token: TOKEN, wallet: TOKEN, other: TOKEN, minute: 60, quoteId: "q" }
    return toolArguments(name, chain, named)
  }
  const chainsOf = (name: string): ReadonlyArray<string> => {
    const of = toolTable().get(name) ?? ""
    return typeof of === "string"
      ? ["base"]
      : Object.keys(of).map(k => (k === "keyed" ? "base" : k))
  }

  it("for length names what the tool takes, and bytes that it may have", async () => {
    const send = async (name: string, bytes: number, more: Json = {}) => {
      respond({ text: "x".repeat(bytes), ...more })
      const { told } = await call(name, { ...about(name, chainsOf(name)[0] ?? ""), maxBytes: 2048 })
      return String(told["message"])
    }
    expect(await send("market", 3000)).toBe(
      "one row more takes 3711 bytes: send maxBytes=3711, or ask for less by limit"
    )
    expect(await send("overview", 3000)).toBe("one row more takes 3711 bytes: send maxBytes=3711")
    expect(await send("token_tape", 3000)).toBe(
      "one row more takes 3711 bytes: send maxBytes=3711, or ask for less by limit or fields"
    )
    // its `fields` adds some
    expect(await send("candles", 3000)).toBe(
      "one row more takes 3711 bytes: send maxBytes=3711, or ask for less by limit"
    )
    expect(await send("overview", 140_000)).toBe(
      "one row more takes 140711 bytes: maxBytes may be 131072 at most"
    )
    for (const name of toolTable().keys()) {
      const message = await send(name, 3000, { traders: [] })
      const [, by = ""] = /less by (.*)$/.exec(message) ?? []
      for (const each of by.split(" or ").filter(Boolean)) expect(taken(name), name).toContain(each)
    }
  })

  const RENAMED = [...toolTable().keys()].flatMap(name =>
    operationsOf(name).flatMap(operation => {
      const of = operation.parameters.find(each => argumentOf(operation, each.name) !== each.name)
      return of === undefined ? [] : [{ name, operation, own: argumentOf(operation, of.name) }]
    })
  )

  it("names a parameter as the tool does where the route calls it otherwise", async () => {
    const names = new Set(RENAMED.map(({ name, own }) => `${name} ${own}`))
    expect([...names]).toEqual([
      ...["token_tape token", "token token", "token_pools token", "token_stats token"],
      ...["token_traders token", "token_holders token", "token_trades token"],
      ...["wallet wallet", "wallet_trades wallet"]
    ])
    for (const { name, own } of RENAMED) {
      for (const chain of chainsOf(name)) {
        const foreign = chain === "solana" ? TOKEN : inBase58(TOKEN)
        for (const word of ["zz", foreign]) {
          const { told } = await call(name, { ...about(name, chain), [own]: word })
          const message = String(told["message"])
          expect(message, `${name} ${chain}`).toMatch(new RegExp(`^${own} must be .*got "${word}"`))
          expect(message).not.toContain("address")
        }
      }
    }
    const { told } = await call("wallet", { chain: "base", wallet: "zz" })
    expect(told).toEqual({
      error: "BAD_ADDRESS",
      message: 'wallet must be 0x and 40 hex digits, on Solana base58 of 32 bytes, got "zz"'
    })
  })
})
