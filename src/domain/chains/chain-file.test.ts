import { Result } from "effect"
import { expect, it } from "vitest"
import { base } from "./base.ts"
import { parseChainFile } from "./chain-file.ts"

const polygon = {
  id: 137,
  key: "polygon",
  name: "Polygon PoS",
  native: { symbol: "POL", decimals: 18 },
  nativeToken: "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270",
  anchors: [
    {
      address: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174",
      symbol: "USDC.e",
      decimals: 6,
      kind: "usd"
    }
  ],
  venues: [
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0x1F98431c8aD98523631AE4a59f267346ea31F984"
    }
  ],
  routers: [],
  finalityDepth: 128,
  blockTimeMs: 2000
}

const [venue] = polygon.venues as [(typeof polygon.venues)[number]]

const ofBase = [...base.venues, ...(base.candidates ?? [])].map(({ kind }) => kind)
const kinds = [...new Set(["uniswap-v2", "uniswap-v3", ...ofBase])]

const parse = (file: unknown) =>
  parseChainFile(typeof file === "string" ? file : JSON.stringify(file), "mine.json", kinds)

const problem = (file: unknown): string => {
  const result = parse(file)
  return Result.isFailure(result) ? result.failure.message : "none"
}

it("reads a user's chains, addresses in any letter case", () => {
  const lower = JSON.parse(JSON.stringify(polygon).replaceAll(/0x\w+/g, a => a.toLowerCase()))
  expect(Result.getOrThrow(parse(polygon))).toEqual([lower])
  const other = { ...polygon, id: 10, key: "optimism" }
  expect(Result.getOrThrow(parse([polygon, other]))).toEqual([
    lower,
    { ...lower, id: 10, key: "optimism" }
  ])
})

it("adds to a chain of the registry what a row that extends it tells", () => {
  const factory = "0x00000000000000000000000000000000000000AA"
  const row = { extends: "base", venues: [{ ...venue, id: "mine_v3", factory }], ingestFloorUsd: 5 }
  expect(Result.getOrThrow(parse(row))).toEqual([
    {
      ...base,
      venues: [
        ...base.venues,
        { id: "mine_v3", kind: "uniswap-v3", factory: factory.toLowerCase() }
      ],
      ingestFloorUsd: 5
    }
  ])
  // places are those of the file
  const wrong = [{ ...row.venues[0], factory: "0x12" }]
  expect(problem({ extends: 8453, venues: wrong })).toMatch(
    /^mine\.json: row 1 \(8453\): venues\[0\]\.factory: /
  )
  expect(problem({ extends: "moon" })).toBe(
    "mine.json: row 1 (moon): extends: the registry has no chain moon"
  )
})

it("lets a row replace a chain whole, and says what is wrong with others, where", () => {
  const named = "mine.json: row 1 (polygon): "
  expect(problem({ ...polygon, id: 1, key: "ethereum" })).toBe("none")
  expect(problem({ ...polygon, id: 1 })).toBe(`${named}mixes id and key of chain ethereum (1)`)
  expect(problem({ ...polygon, key: "base" })).toBe(
    "mine.json: row 1 (base): mixes id and key of chain base (8453)"
  )
  expect(problem({ ...polygon, venues: [venue, venue] })).toBe(
    `${named}lists factory 0x1f98431c8ad98523631ae4a59f267346ea31f984 twice`
  )
  expect(problem({ ...polygon, anchors: [...polygon.anchors, ...polygon.anchors] })).toBe(
    `${named}lists anchor 0x2791bca1f2de4661ed88a30c99a7a9449aa84174 twice`
  )
  expect(problem({ ...polygon, key: "solana" })).toMatch("another family")
  expect(problem({ ...polygon, routerz: [] })).toBe(`${named}routerz: no field of a chain`)
  expect(problem([polygon, polygon])).toBe(
    "mine.json: row 2 (polygon): describes chain polygon (137) again"
  )
  expect(problem({ ...polygon, venues: [{ ...venue, kind: "uniswap-v9" }] })).toMatch(
    `${named}venues[0].kind: no venue kind uniswap-v9, one of uniswap-v2, uniswap-v3`
  )
  expect(problem("{")).toMatch("mine.json: is not JSON")
  expect(problem([7])).toBe("mine.json: row 1: is no object")
})

it("names every field that is wrong", () => {
  const wrong = [venue, { ...venue, id: "Uniswap", factory: "0x12" }]
  const text = problem([{ ...polygon, venues: wrong, finalityDepth: undefined }])
  expect(text).toMatch(/^mine\.json: row 1 \(polygon\): /)
  expect(text.split("; ").map(part => part.replace(/: Expected.*/, ""))).toEqual([
    "mine.json: row 1 (polygon): venues[1].id",
    "venues[1].factory",
    "finalityDepth: Missing key"
  ])
})

it.each([
  ["id", { id: -1 }],
  ["finalityDepth", { finalityDepth: -1 }],
  ["blockTimeMs", { blockTimeMs: 0 }],
  ["ingestFloorUsd", { ingestFloorUsd: -1 }],
  ["native.decimals", { native: { symbol: "POL", decimals: -1 } }],
  ["venues[0].feeBps", { venues: [{ ...venue, feeBps: -30 }] }],
  ["venues[0].feeBps", { venues: [{ ...venue, feeBps: 10_001 }] }],
  ["venues[0].startBlock", { venues: [{ ...venue, startBlock: -1 }] }],
  [
    "venues[0].feeTiers[0].fee",
    { venues: [{ ...venue, feeTiers: [{ fee: -1, tickSpacing: 60 }] }] }
  ]
])("refuses a number out of range: %s", (field, wrong) => {
  expect(problem([{ ...polygon, ...wrong }])).toContain(`${field}: Expected a value`)
})
