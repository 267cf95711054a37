import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { ConfigProvider, Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { signatureOf } from "../../engine/runner/fold-set.ts"
import { allProjections } from "../../projections/all.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { arc } from "../domain/chains/arc.ts"
import { base } from "../domain/chains/base.ts"
import { rh } from "../domain/chains/rh.ts"
import { withTokenLists } from "./token-lists.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())

const loaded = (lists: string, isDevchain = false) =>
  withTokenLists(
    [arc, rh, base].map(chain => ({ chain })),
    isDevchain
  ).pipe(
    Effect.map(settings => settings.map(({ chain }) => chain)),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: { TOKEN_LISTS: lists } })
    )
  )

const own = join(folder.path, "own.json")
const token = {
  chainId: 5042,
  address: arc.anchors[0]?.address,
  name: "A",
  symbol: "A",
  decimals: 6
}
const version = { major: 1, minor: 0, patch: 0 }
writeFileSync(own, JSON.stringify({ name: "Own", version, tokens: [token] }))

describe("the default list", () => {
  it("has 202 tokens of chain 4663, two of them no stocks, and none of Arc", async () => {
    const [ofArc, ofRh, ofBase] = await Effect.runPromise(loaded(""))
    expect(ofArc?.curation).toBeUndefined()
    expect(ofRh?.curation?.lists).toEqual([{ name: "Uniswap Labs Default", version: "22.21.0" }])
    const tokens = ofRh?.curation?.tokens ?? []
    expect(tokens.length).toBe(202)
    const others = tokens.filter(({ isStock }) => !isStock)
    expect(others.map(({ symbol }) => symbol)).toEqual(["CASHCAT", "cbBTC"])
    expect(ofBase?.curation?.tokens.length).toBeGreaterThan(100)
    expect(ofBase?.curation?.tokens.filter(({ isStock }) => isStock)).toEqual([])
  })

  it("changes no tables", async () => {
    const [, ofRh] = await Effect.runPromise(loaded(""))
    if (ofRh === undefined) throw new Error("no chain")
    expect(signatureOf(ofRh, allProjections)).toBe(signatureOf(rh, allProjections))
  })

  it("says nothing of devchains", async () => {
    const chains = await Effect.runPromise(loaded("", true))
    expect(chains.map(({ curation }) => curation)).toEqual([undefined, undefined, undefined])
  })
})

describe("TOKEN_LISTS", () => {
  it("counts besides it, and on devchains", async () => {
    for (const isDevchain of [false, true]) {
      const [ofArc] = await Effect.runPromise(loaded(own, isDevchain))
      expect(ofArc?.curation?.lists).toEqual([{ name: "Own", version: "1.0.0" }])
    }
  })

  it("is refused in words where it is none", async () => {
    const problem = async (path: string) =>
      (await Effect.runPromise(Effect.flip(loaded(path)))).message
    const missing = join(folder.path, "none.json")
    expect(await problem(missing)).toBe(`TOKEN_LISTS, ${missing}: there is no such file`)
    const bad = join(folder.path, "bad.json")
    writeFileSync(bad, JSON.stringify({ name: "Bad", version, tokens: [{ ...token, symbol: 1 }] }))
    expect(await problem(`${own}, ${bad}`)).toContain("TOKEN_LISTS, bad.json: tokens[0].symbol: ")
  })
})
