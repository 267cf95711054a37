/** Requests and bodies of quotes and swaps, mutated at random: each is answered as is documented. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { fakeTrade } from "../../../test/support/fake-trade.ts"
import { type Random, random } from "../../../test/support/seed.ts"

const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 20_000 : 100

const [SOLD, BOUGHT, TAKER] = ["aa", "bb", "cc"].map(byte => `0x${byte.repeat(20)}`)
const ORDER = { chain: "base", inputMint: SOLD, outputMint: BOUGHT, amount: "1000", taker: TAKER }

let api: TestApi
/** codes that a route may answer with, by its path and status */
let documented: (method: "get" | "post", path: string, status: number) => ReadonlyArray<string>

interface Documented {
  readonly responses: { readonly [status: string]: unknown }
}

beforeAll(async () => {
  const lane = new FakeLane(chainConfig(8453, "base"), () => ({
    ...{ suspects: [], buys: 1, sells: 1, readsAs: null }
  }))
  api = await startApi([lane], { trade: fakeTrade })
  const { paths } = (await (await fetch(`${api.url}/v1/openapi.json`)).json()) as {
    readonly paths: { readonly [path: string]: { readonly [method: string]: Documented } }
  }
  documented = (method, path, status) => {
    const told = JSON.stringify(paths[`/v1${path}`]?.[method]?.responses[String(status)] ?? null)
    return told.match(/[A-Z]+(_[A-Z]+)+/g) ?? []
  }
})
afterAll(() => api?.close())

interface Answered {
  readonly status: number
  readonly body: { readonly error?: string; readonly [name: string]: unknown }
}

const asked = async (path: string, options: RequestInit = {}): Promise<Answered> => {
  const response = await fetch(`${api.url}/v1${path}`, options)
  return { status: response.status, body: (await response.json()) as Answered["body"] }
}

const posted = (path: string, body: string | Buffer<ArrayBuffer>): Promise<Answered> =>
  asked(path, { method: "POST", headers: { "content-type": "application/json" }, body })

const ODD: ReadonlyArray<unknown> = [
  ...["", "0", "-1", "1.5", "1e3", "NaN", " 1", "\u0000", "\u202e", "<script>", "__proto__", "0x"],
  ...[
    "9".repeat(78),
    "9".repeat(79),
    `0x${"f".repeat(40)}`,
    `0X${"F".repeat(40)}`,
    "x".repeat(3000)
  ],
  ...[`0x${"00".repeat(20)}`, "8453", "5042", "ExactIn", "ExactOut", "uniswap_v3", "50", "5001"],
  ...[
    0,
    -0,
    -1,
    1.5,
    1e300,
    Number.MAX_SAFE_INTEGER,
    true,
    null,
    [],
    {},
    [[["a"]]],
    { a: { b: 1 } }
  ]
]

type Fields = { [name: string]: unknown }

/** The value with one of its parts changed, taken out, or another put in. */
const mutated = (chance: Random, value: Fields): Fields => {
  const changed = structuredClone(value)
  const places: Array<readonly [Fields, string]> = []
  const list = (within: Fields): void => {
    for (const [name, part] of Object.entries(within)) {
      places.push([within, name])
      if (typeof part === "object" && part !== null) list(part as Fields)
    }
  }
  list(changed)
  const [within, name] = chance.pick(places)
  const part = within[name]
  const how = chance.integer(0, 4)
  if (how === 0) delete within[name]
  else if (how === 1) within[name] = chance.pick(ODD)
  else if (how === 2 && typeof part === "string") {
    const at = chance.integer(0, part.length)
    within[name] = `${part.slice(0, at)}${chance.pick(["0", "f", ".", " "])}${part.slice(at + 1)}`
  } else if (how === 3 && typeof part === "number") within[name] = part + chance.pick([1, -1, 0.5])
  else within[chance.pick(["more", "recipient", "slippageBps", "chain"])] = chance.pick(ODD)
  return changed
}

const isDocumented = (
  method: "get" | "post",
  path: string,
  { status, body }: Answered,
  what: string
): void => {
  if (status === 200) return
  const codes = documented(method, path, status)
  expect(codes, `${path} ${status} ${JSON.stringify(body)} to ${what}`).toContain(body.error)
}

it("answers mutated queries as is documented", async () => {
  const chance = random("mutated queries")
  for (let round = 0; round < ROUNDS; round++) {
    let query: Fields = ORDER
    for (let times = chance.integer(1, 3); times > 0; times--) query = mutated(chance, query)
    const text = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)])
    ).toString()
    for (const path of ["/quote", "/swap/calldata", "/meta/quote"]) {
      isDocumented("get", path, await asked(`${path}?${text}`), text)
    }
  }
})

/** JSON with the fields of each object in order; what an echo may leave out is left out. */
const canonical = ({ taker: _, recipient: __, permit2: ___, ...quote }: Fields): string =>
  JSON.stringify(quote, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  )

it("builds nothing of a quote that was edited, and answers all bodies as is documented", async () => {
  const chance = random("mutated bodies")
  const query = new URLSearchParams(ORDER as { [name: string]: string }).toString()
  for (let round = 0; round < ROUNDS; round++) {
    const path = chance.pick(["/swap", "/meta/swap"])
    const { body: quote } = await asked(`${path === "/swap" ? "" : "/meta"}/quote?${query}`)
    const body = mutated(chance, { ...quote, taker: TAKER })
    const text = Buffer.from(JSON.stringify(body))
    const isTorn = chance.integer(0, 7) === 0
    if (isTorn) text[chance.integer(0, text.length - 1)] = chance.integer(0, 255)
    const answered = await posted(path, text)
    isDocumented("post", path, answered, text.toString("latin1"))
    if (answered.status !== 200 || isTorn) continue
    const { slippageBps: _, ...plain } = quote
    const given = "slippageBps" in body ? quote : plain
    expect(canonical(body), `edited, and built by ${path}`).toBe(canonical(given))
  }
})

it("answers mutated transactions to simulate as is documented", async () => {
  const chance = random("mutated transactions")
  const to = fakeTrade.site("base").router
  for (let round = 0; round < ROUNDS; round++) {
    const data = `0xa13294f1${"00".repeat(chance.integer(0, 400))}`
    const body = mutated(chance, { chainId: 8453, from: TAKER, to, data, value: "0" })
    const text = JSON.stringify(body)
    isDocumented("post", "/swap/simulate", await posted("/swap/simulate", text), text)
  }
})
