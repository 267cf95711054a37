import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { kindsOfRegistry } from "../../../streams/evm/registry-kinds.ts"
import { venueKinds } from "../../../streams/evm/venue-kinds.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import { allChains as registered } from "./registry.ts"

const reference = "../reference/evm-registry.json"

const allChains = registered.filter(({ family }) => family !== "solana")

interface VenueRow {
  readonly chainId: number
  readonly id: string
  readonly kind: string
  readonly factory?: string | null
  /** the one contract that holds all of a venue's pools */
  readonly poolManager?: string
  readonly vault?: string
  /** DODO's, by type of pool */
  readonly factories?: { readonly [type: string]: string | ReadonlyArray<string> }
  readonly deployer?: string
  readonly positionManager?: string | null
  readonly initCodeHash: string | null
  readonly initCodeCheck?: { readonly result: string; readonly pool?: string }
  readonly feeBps?: number | null
  readonly feeTiers?: ReadonlyArray<{ readonly fee: number; readonly tickSpacing: number | null }>
  readonly deployBlock: number | null
  readonly confirmed: boolean
}

interface AnchorRow {
  readonly address: string
  readonly symbol: string
  readonly decimals: number
  readonly confirmed: boolean
}

interface Reference {
  readonly chains: ReadonlyArray<{
    readonly id: number
    readonly name: string
    readonly native: { readonly symbol: string; readonly decimals: number }
    readonly wrappedNative: { readonly address: string } | null
    readonly finality: { readonly suggestedReorgDepth: number }
    readonly blockTimeMs: number
    readonly anchors: ReadonlyArray<AnchorRow>
  }>
  readonly venues: ReadonlyArray<VenueRow>
  readonly routers: ReadonlyArray<{
    readonly chainId: number
    readonly name: string
    readonly role: string
    readonly address: string
    readonly confirmed: boolean
    readonly note?: string
  }>
}

const lower = (text: string | null | undefined): string | undefined => text?.toLowerCase()

/** Facts that the reference leaves open are undefined here and missing in the chain's file. */
const venuesTold = (row: VenueRow) =>
  [row.factory ?? row.poolManager ?? row.vault ?? Object.values(row.factories ?? {})]
    .flat(2)
    .map(factory => ({
      id: row.id,
      kind: kindsOfRegistry.get(row.kind)?.kind,
      factory: lower(factory),
      deployer: lower(row.deployer),
      positionManager: lower(row.positionManager),
      initCodeHash: lower(row.initCodeHash),
      // of other kinds the fee is each pool's
      feeBps: kindsOfRegistry.get(row.kind)?.hasVenueFee ? (row.feeBps ?? undefined) : undefined,
      feeTiers: row.feeTiers?.map(({ fee, tickSpacing }) => ({ fee, tickSpacing })),
      startBlock: row.deployBlock ?? undefined
    }))

describeWithSharedData("facts about chains", [reference], () => {
  const told = JSON.parse(readFileSync(join(sharedData, reference), "utf8")) as Reference
  const former = new URL("../../../scripts/former-routers.json", import.meta.url)
  const { chains, venues } = told
  const routers = [
    ...told.routers,
    ...(JSON.parse(readFileSync(former, "utf8")) as Reference["routers"])
  ]
  const readable = venues.filter(row => kindsOfRegistry.has(row.kind))
  const rows = readable.filter(row => row.confirmed)

  it("lists the venues of each chain, those that nobody confirmed apart", () => {
    const byChain = (id: number, confirmed: boolean) =>
      readable
        .filter(row => row.chainId === id && row.confirmed === confirmed)
        .flatMap(row => venuesTold(row))
    for (const { id, venues, candidates = [] } of allChains) {
      expect(venues).toEqual(byChain(id, true))
      expect(candidates).toEqual(byChain(id, false))
    }
    const count = (list: "venues" | "candidates") =>
      allChains.flatMap(chain => chain[list] ?? []).length
    expect({ venues: count("venues"), candidates: count("candidates") }).toEqual({
      venues: 133,
      candidates: 76
    })
  })

  it("tells each chain's own facts and its confirmed anchors", () => {
    expect(allChains.map(({ id }) => id).sort()).toEqual(chains.map(({ id }) => id).sort())
    for (const chain of allChains) {
      const told = chains.find(({ id }) => id === chain.id) as Reference["chains"][number]
      expect(chain).toMatchObject({
        name: told.name,
        native: told.native,
        finalityDepth: told.finality.suggestedReorgDepth,
        blockTimeMs: told.blockTimeMs
      })
      if (told.wrappedNative !== null) {
        expect(chain.nativeToken).toBe(lower(told.wrappedNative.address))
      }
      const anchors = told.anchors.filter(anchor => anchor.confirmed)
      for (const { address, symbol, decimals } of anchors) {
        const anchor = { address: lower(address), symbol, decimals }
        expect(chain.anchors).toContainEqual(expect.objectContaining(anchor))
      }
    }
  })

  it("lists each confirmed contract that trades for others, by who the trader is", () => {
    const trading = routers.filter(
      ({ confirmed, role }) => confirmed && role !== "approval" && role !== "registry"
    )
    const settling = new Set<string>()
    for (const { chainId, name, address } of trading) {
      const chain = allChains.find(({ id }) => id === chainId)
      const listed = chain?.routers.includes(address.toLowerCase() as never)
      const settles = chain?.settlements?.includes(address.toLowerCase() as never)
      expect([listed, settles].filter(Boolean).length, `${chainId} ${name}`).toBe(1)
      if (settles) settling.add(name)
    }
    expect([...settling].sort()).toEqual([
      "Bebop RFQ settlement",
      "CoW GPv2Settlement",
      "LI.FI Executor",
      "Magpie RouterV3_1",
      "Relay router v2.1",
      "Relay router v3"
    ])
    const known = new Set(routers.map(({ address }) => address.toLowerCase()))
    const own = venues.flatMap(row => Object.values(row).map(String))
    for (const text of own) known.add(text.toLowerCase())
    for (const { routers, settlements = [] } of allChains) {
      for (const address of [...routers, ...settlements]) expect(known).toContain(address)
    }
  })

  it("lists those that nobody confirmed apart, but for roles that nobody has read", () => {
    const trading = routers.filter(
      ({ confirmed, role, note = "" }) =>
        !confirmed && role !== "approval" && role !== "registry" && !note.includes("role not read")
    )
    const settling = new Set<string>()
    for (const { chainId, name, address } of trading) {
      const chain = allChains.find(({ id }) => id === chainId)
      const found = chain?.routerCandidates?.find(one => one.address === lower(address))
      const isOn = [...(chain?.routers ?? []), ...(chain?.settlements ?? [])] as Array<string>
      if (isOn.includes(address.toLowerCase())) continue
      expect(found?.name, `${chainId} ${address}`).toBe(name)
      if (found?.settles === true) settling.add(name)
    }
    expect([...settling].sort()).toEqual([
      "0x Settler (intent)",
      "0x Settler (metatxn)",
      "1inch Fusion settlement",
      "AchSponsoredExecutorV3",
      "Bebop JAM settlement",
      "ParaSwap Delta executor"
    ])
  })

  it("derives the pools that public sources name", () => {
    const matched = rows.filter(row => row.initCodeCheck?.result === "match")
    for (const { chainId, id, initCodeCheck } of matched) {
      const chain = allChains.find(known => known.id === chainId)
      const venue = chain?.venues.find(known => known.id === id)
      const kind = venueKinds.find(known => known.kind === venue?.kind)
      if (chain === undefined || venue === undefined) throw new Error(`${chainId} ${id}`)
      const tokens = chain.anchors.map(({ address }) => address)
      const derived = tokens.flatMap((a, i) =>
        tokens.slice(i + 1).flatMap(b => kind?.derivePools(venue, a, b).map(p => p.pool) ?? [])
      )
      expect(derived, `${chain.key} ${id}`).toContain(lower(initCodeCheck?.pool))
    }
    expect(matched.length).toBe(19)
  })
})
