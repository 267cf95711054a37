/** Laws of every parameter of every declared endpoint: a bad value answers 400 with its name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arc } from "../src/domain/chains/arc.ts"
import { base } from "../src/domain/chains/base.ts"
import { solana } from "../src/domain/chains/solana.ts"
import { declaredCodes, readerOf, startApi, type TestApi } from "../test/support/api-server.ts"
import { exampleValues } from "../test/support/example-values.ts"
import { chainConfig, FakeLane } from "../test/support/fake-lanes.ts"
import { fakeTrade } from "../test/support/fake-trade.ts"
import { get } from "../test/support/get.ts"
import { inBase58 } from "../test/support/route-urls.ts"
import { TestKeys } from "../test/support/test-keys.ts"
import { type Endpoint, endpoints } from "./endpoints.ts"
import type { Parameter } from "./parameters.ts"

/** An address that the bad ones are made of. */
const TOKEN = `0x${"ab".repeat(20)}`

const BAD_ADDRESS = [
  "x",
  "0x",
  TOKEN.slice(0, -1),
  `${TOKEN}0`,
  TOKEN.replace("ab", "zz"),
  ` ${TOKEN}`,
  TOKEN.repeat(20)
]
const BAD_TEXT: { readonly [name: string]: ReadonlyArray<string> } = {
  address: BAD_ADDRESS,
  token: ["", ...BAD_ADDRESS],
  wallet: ["", ...BAD_ADDRESS],
  chain: ["ba se", "base!", "-1"],
  q: ["", "x".repeat(65)],
  pool: ["", ...BAD_ADDRESS],
  fields: ["", "nope", "buys,", "buys,,sells", "Buys", "buys sells"],
  after: ["", "x", "1", "1:2:3", "-1:2", "1:x"],
  dex: ["", "Uniswap", "uniswap v3", "a".repeat(65)],
  inputMint: ["", ...BAD_ADDRESS],
  outputMint: ["", ...BAD_ADDRESS],
  taker: ["", ...BAD_ADDRESS],
  recipient: ["", ...BAD_ADDRESS],
  amount: ["", "x", "-1", "1.5", "1e18", "0x10", " 5", "9".repeat(79)],
  quoteId: ["x", "50.", `50.${"A".repeat(44)}`, `12345.${"A".repeat(43)}`, "50.A A"],
  only: ["", "Uniswap", "uniswap v3", "uniswap-v3"],
  cursor: ["", "x", "1:2", "2:1:1:1", "0:1:2:3:4", "-1:1:1:1", "0:x:1:1", "0:1.5:1:1"],
  before: ["", "x", "1:2", "1:2:3:4", "-1", "1:2:x", "1.5", "1790000000:1:"]
}

/** Texts of which any form that is declared refuses some. */
const AWKWARD = ["", "x", "x y", "-1", "1.5", "1e18", "0x", ",", "'", "%00", "x".repeat(300)]

/** Bad values of a text that the table has none of: what its pattern refuses, near its example. */
const refusedBy = (name: string, { schema, example }: Parameter["openapi"]) => {
  const good = String(example ?? "")
  const pattern = new RegExp(String(schema["pattern"]))
  const bad = [...AWKWARD, good.slice(0, -1), `${good} `, good + good].filter(
    each => !pattern.test(each)
  )
  if (bad.length < 3) throw new Error(`no bad values for the parameter ${name}: add some`)
  return bad
}

const badValues = (name: string, { openapi }: Parameter): ReadonlyArray<string> => {
  const { type, minimum, maximum } = openapi.schema
  if (type === "integer") {
    const outside = [Number(minimum) - 1, Number(maximum) + 1].map(String)
    return ["", "x", "1.5", "1e3", "0x10", " 5", "+5", "5 ", "9".repeat(17), "null", ...outside]
  }
  if (type === "number") return ["", "x", "-1", "NaN", "Infinity", "1e3", ".5", "5.", "0x1"]
  const words = openapi.schema["enum"] as ReadonlyArray<string> | undefined
  if (words !== undefined) {
    return ["", "nope", "1M", "BUY", "0", "true"].filter(word => !words.includes(word))
  }
  return BAD_TEXT[name] ?? refusedBy(name, openapi)
}

const routes = endpoints().filter(({ method }) => method === "GET")
const isInPath = ({ path }: Endpoint, name: string): boolean => path.includes(`:${name}`)

/** The id of a quote that was given: the declaration's example is none. */
let quoteId = ""

const urlOf = (endpoint: Endpoint, name: string, values: ReadonlyArray<string>): string => {
  const good = exampleValues(endpoint)
  const path = endpoint.path.replace(/:(\w+)/g, (_, each) => {
    const value = each === "quoteId" ? quoteId : good[each]
    return encodeURIComponent(each === name ? (values[0] as string) : (value as string))
  })
  const query = new URLSearchParams()
  for (const each of Object.keys(endpoint.parameters)) {
    if (isInPath(endpoint, each)) continue
    if (each === name) for (const value of values) query.append(each, value)
    else if (each in good) query.set(each, good[each] as string)
  }
  return `${path}?${query}`
}

const keys = new TestKeys()
const key = keys.create("some key")
let api: TestApi
beforeAll(async () => {
  const chains = [chainConfig(8453, "base"), chainConfig(5042, "arc"), chainConfig(4663, "rh")]
  const lanes = [...chains, solana].map(
    config => new FakeLane(config, ({ name }) => ({ traders: [], of: [config.key, name] }))
  )
  api = await startApi(lanes, { trade: fakeTrade, keys: keys.book })
  const order = new URLSearchParams(
    exampleValues(routes.find(({ path }) => path === "/v1/meta/quote") as Endpoint)
  )
  quoteId = (await readerOf(api)(`/meta/quote?${order}`)).quoteId
})
afterAll(() => api.close())

/** What helps who has declared a parameter of a name that others have. */
const hintOf = (name: string, url: string): string =>
  name in BAD_TEXT
    ? `${url}: BAD_TEXT in api/parameters.test.ts has what every "${name}" refuses; one of another form has another name`
    : url

const expectRefusal = async (endpoint: Endpoint, name: string, url: string) => {
  const { status, text } = await get(api.url + url)
  const body = JSON.parse(text)
  const told = { url, status, ...body }
  const { code } = endpoint.parameters[name] as Parameter
  expect(told, hintOf(name, url)).toMatchObject({ url, status: 400, error: code })
  expect(body.message, url).toContain(name)
  expect(Object.keys(body)).toEqual(["error", "message"])
  const template = endpoint.path.replace(/:(\w+)/g, "{$1}")
  expect(declaredCodes(template, 400), url).toContain(body.error)
}

for (const endpoint of routes) {
  describe(endpoint.path, () => {
    it("answers with good values", async () => {
      const { status } = await get(api.url + urlOf(endpoint, "", []), { "x-api-key": key })
      expect(status).toBe(200)
    })

    it("refuses a parameter that it has not", async () => {
      const good = urlOf(endpoint, "", [])
      const { status, text } = await get(`${api.url}${good}&colour=red`.replace("?&", "?"))
      const { error, message } = JSON.parse(text)
      expect([status, error]).toEqual([400, "INVALID_PARAMS"])
      expect(message).toContain('there is no parameter "colour" here; ')
      const template = endpoint.path.replace(/:(\w+)/g, "{$1}")
      expect(declaredCodes(template, 400)).toContain("INVALID_PARAMS")
    })

    for (const [name, parameter] of Object.entries(endpoint.parameters)) {
      it(`refuses bad values of ${name}`, async () => {
        for (const value of badValues(name, parameter)) {
          if (value === "" && isInPath(endpoint, name)) continue
          await expectRefusal(endpoint, name, urlOf(endpoint, name, [value]))
        }
      })

      if (isInPath(endpoint, name)) continue
      it(`refuses ${name} given twice`, async () => {
        const value = String(
          parameter.openapi.schema["minimum"] ?? parameter.openapi.example ?? "1"
        )
        await expectRefusal(endpoint, name, urlOf(endpoint, name, [value, value]))
      })
    }
  })
}

describe("a required parameter", () => {
  it("is named where it is missing", async () => {
    const response = await fetch(`${api.url}/v1/candles?chain=8453`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: "INVALID_PARAMS",
      message: "token is required: 0x and 40 hex digits"
    })
  })
})

describe("a chain", () => {
  /** Fields that tell of the moment, and what is made of them. */
  const OF_THE_MOMENT = new Set([
    ...["blockAgeS", "uptimeSeconds", "updatedAt", "timeTaken", "expiresAt", "deadline"],
    ...["quoteId", "data"]
  ])
  const lasting = (text: string): unknown =>
    text.startsWith("<svg")
      ? text
      : JSON.parse(text, (name, value) => (OF_THE_MOMENT.has(name) ? undefined : value))

  /** A URL of an endpoint that names the chain so, with accounts as the chain writes them. */
  const urlBy = (endpoint: Endpoint, key: string, word: string): string => {
    const url = urlOf(endpoint, "chain", [word]).replace("/chains/solana/", `/chains/${word}/`)
    return key === "solana" ? url.replace(/0x[0-9a-f]{40}/g, inBase58) : url
  }

  for (const endpoint of routes) {
    const isSolanas = endpoint.path.includes("/chains/solana/")
    if (!isSolanas && endpoint.parameters["chain"] === undefined) continue
    it(`is the same by key and by id at ${endpoint.path}`, async () => {
      for (const chain of isSolanas ? [solana] : [base, arc, solana]) {
        const words = [chain.key, chain.key.toUpperCase(), String(chain.id)]
        const answers = await Promise.all(
          words.map(word => get(api.url + urlBy(endpoint, chain.key, word), { "x-api-key": key }))
        )
        const [first, ...others] = answers.map(({ status, text }) => [status, lasting(text)])
        for (const other of others) expect(other).toEqual(first)
      }
    })
  }
})
