// Writes src/domain/chains/<key>.ts from a registry of facts (evm-registry.json). Venues of kinds
// that have a folder in streams/evm are taken, and nothing is written where others than expected
// (unreadKinds) lack one. Those that the registry does not call confirmed stand apart, as
// candidates that a chain has to prove; so do routers, but for those whose role nobody has read.
// Routers of former years, which lists of today leave out but old blocks are full of, stand in
// former-routers.json.
//   node scripts/generate-chains.mjs ../shared/reference/evm-registry.json
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { tsImport } from "tsx/esm/api"
import * as viemChains from "viem/chains"

/**
 * @typedef {{ address: string, symbol: string, decimals: number }} Token
 * @typedef {Token & { isStable?: boolean, peg?: string, confirmed?: boolean }} Anchor
 * @typedef {{
 *   id: number, key: string, name: string, native: { symbol: string, decimals: number },
 *   wrappedNative: Token | null, nativeErc20View?: Token, anchors: Anchor[], source: string[],
 *   finality: { suggestedReorgDepth: number }, blockTimeMs: number
 * }} Chain
 * @typedef {{
 *   chainId: number, id: string, kind: string, factory: string | null, deployer?: string,
 *   initCodeHash?: string | null, feeBps?: number | null, deployBlock: number | null,
 *   feeTiers?: { fee: number, tickSpacing?: number | null }[] | null, confirmed: boolean,
 *   poolManager?: string, vault?: string, positionManager?: string,
 *   factories?: Record<string, string | string[]>,
 *   router?: string, swapRouter?: string, swapRouter02?: string
 * }} Venue
 * @typedef {{
 *   chainId: number, name: string, role: string, address: string, confirmed: boolean, note?: string
 * }} Router
 */

/** Contracts whose caller is not the trader: solvers settle orders, relayers send for others. */
const settling =
  /settlement|^LI\.FI Executor|^Relay router|^Magpie Router|^AchSponsored|^ParaSwap Delta|^0x Settler \((metatxn|intent)\)/i
/** Roles that nobody trades through; of allowance contracts, 0x's is called as a router is. */
const aside = /^(approval|registry)$/
const calledAllowance = /^0x AllowanceHolder/
/** Nobody has read what the contract does. */
const unread = /exact role not read/
/** 0x's own meta-transactions are sent by relayers, and name their signer. */
const relayed = /^0x ExchangeProxy/
/** Kinds of the registry that no folder of streams/evm reads: their rows are left out. */
const unreadKinds = new Set([
  "fluid_v1",
  "kyberswap_elastic",
  "orderbook_kuru",
  "pancake_infinity_bin",
  "pancake_infinity_cl",
  "unknown"
])
/** @typedef {import("../streams/evm/registry-kinds.ts")} RegistryKinds */
/** @type {RegistryKinds} */
const { kindsOfRegistry } = await tsImport("../streams/evm/registry-kinds.ts", import.meta.url)
/** @type {Record<number, string>} */
const keys = { 4663: "rh" }
/** @type {Record<number, number>} */
const floors = { 56: 100, 43114: 0, 8453: 0 }
/** @type {{ chains: Chain[], venues: Venue[], routers: Router[] }} */
const registry = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
/** @type {Router[]} */
const former = JSON.parse(readFileSync(new URL("./former-routers.json", import.meta.url), "utf8"))
registry.routers.push(...former)
const strange = registry.venues.filter(
  row => !kindsOfRegistry.has(row.kind) && !unreadKinds.has(row.kind)
)
if (strange.length > 0) {
  const rows = strange.map(row => `${row.id} of chain ${row.chainId}: kind ${row.kind}`)
  console.error(
    `${rows.join("\n")}\nNo folder of streams/evm is of these kinds. Say in the VenueKind of the one ` +
      "that reads them that they are its\nregistryName, or add them to unreadKinds in " +
      "scripts/generate-chains.mjs, which leaves their rows out. Nothing was written."
  )
  process.exit(1)
}
/** @param {string} text */
const lower = text => text.toLowerCase()

/** @param {Chain} chain @param {Anchor} anchor */
const anchorKind = (chain, anchor) => {
  if (anchor.isStable && (anchor.peg ?? "USD") === "USD") return "usd"
  return chain.wrappedNative && lower(chain.wrappedNative.address) === lower(anchor.address)
    ? "native"
    : "asset"
}

/** @param {Chain} chain */
const anchorsOf = chain => {
  const list = chain.anchors.filter(anchor => anchor.confirmed)
  const wrapped = chain.wrappedNative
  if (wrapped && !list.some(anchor => lower(anchor.address) === lower(wrapped.address))) {
    list.push({ ...wrapped, isStable: false })
  }
  const order = ["usd", "native", "asset"]
  return list
    .map(anchor => ({
      address: lower(anchor.address),
      symbol: anchor.symbol,
      decimals: anchor.decimals,
      kind: anchorKind(chain, anchor)
    }))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

/** What makes the venue's pools, or is all of them: DODO has a factory for each type of pool. */
/** @param {Venue} row */
const factoriesOf = row => {
  const one = row.factory ?? row.poolManager ?? row.vault
  return one
    ? [lower(one)]
    : Object.values(row.factories ?? {})
        .flat()
        .map(lower)
}

/** @param {Venue} row @param {string} factory */
const venueOf = (row, factory) => ({
  id: row.id,
  kind: kindsOfRegistry.get(row.kind)?.kind,
  factory,
  ...(row.deployer ? { deployer: lower(row.deployer) } : {}),
  ...(row.positionManager ? { positionManager: lower(row.positionManager) } : {}),
  ...(row.initCodeHash ? { initCodeHash: lower(row.initCodeHash) } : {}),
  ...(typeof row.feeBps === "number" && kindsOfRegistry.get(row.kind)?.hasVenueFee
    ? { feeBps: row.feeBps }
    : {}),
  ...(row.feeTiers
    ? {
        feeTiers: row.feeTiers.map(tier => ({
          fee: tier.fee,
          tickSpacing: tier.tickSpacing ?? null
        }))
      }
    : {}),
  ...(row.deployBlock === null ? {} : { startBlock: row.deployBlock })
})

/** @param {(string | undefined)[]} addresses */
const listOf = addresses =>
  [...new Set(addresses.flatMap(address => (address ? [lower(address)] : [])))].sort()

/** @param {Router} row */
const isSettling = row => settling.test(row.name)

/** @param {number} id @param {Venue[]} venues */
const attributionOf = (id, venues) => {
  const confirmed = registry.routers.filter(row => row.chainId === id && row.confirmed)
  /** @param {Router} row */
  const isUsed = row => !aside.test(row.role) || calledAllowance.test(row.name)
  const used = confirmed.filter(isUsed)
  const relaying = confirmed.filter(row => relayed.test(row.name))
  const own = venues.flatMap(row => [row.router, row.swapRouter, row.swapRouter02])
  /** @param {Router[]} rows */
  const addresses = rows => rows.map(row => row.address)
  const routers = listOf([...addresses(used.filter(row => !isSettling(row))), ...own])
  const settlements = listOf(addresses(used.filter(isSettling)))
  const known = new Set([...routers, ...settlements])
  const candidates = registry.routers
    .filter(row => row.chainId === id && !row.confirmed && isUsed(row))
    .filter(({ note = "", address }) => !unread.test(note) && !known.has(lower(address)))
    .map(row => ({
      address: lower(row.address),
      name: row.name,
      ...(isSettling(row) && { settles: true })
    }))
    .sort((a, b) => a.address.localeCompare(b.address))
  return {
    routers,
    settlements,
    ...(candidates.length > 0 && { routerCandidates: candidates }),
    ...(relaying.length > 0 && { entryPoints: listOf(addresses(relaying)) })
  }
}

/**
 * JSON with fee tiers and candidates on one line each: the formatter leaves an object as long as it
 * finds it.
 * @param {object} config
 */
const textOf = config =>
  JSON.stringify(config, null, 2)
    .replace(/\{\s+"fee": (\d+),\s+"tickSpacing": (\w+)\s+\}/g, '{ "fee": $1, "tickSpacing": $2 }')
    .replace(
      /\{\s+"address": ("\w+"),\s+"name": ("[^"]*")(,\s+"settles": true)?\s+\}/g,
      '{ "address": $1, "name": $2$3 }'
    )

/** The block explorer that viem names, where it names one. */
/** @param {number} id */
const explorerOf = id => {
  const known = Object.values(viemChains).find(one => one.id === id && one.blockExplorers)
  const url = known?.blockExplorers?.default.url
  return url === undefined ? {} : { explorer: url }
}

for (const chain of registry.chains) {
  const key = keys[chain.id] ?? chain.key
  const rows = registry.venues.filter(
    row => row.chainId === chain.id && kindsOfRegistry.has(row.kind)
  )
  const confirmed = rows.filter(row => row.confirmed)
  /** @param {Venue[]} some */
  const listed = some => some.flatMap(row => factoriesOf(row).map(one => venueOf(row, one)))
  const candidates = listed(rows.filter(row => !row.confirmed))
  const native = chain.wrappedNative ?? chain.nativeErc20View
  const config = {
    id: chain.id,
    key,
    name: chain.name,
    native: chain.native,
    ...explorerOf(chain.id),
    nativeToken: native ? lower(native.address) : null,
    anchors: anchorsOf(chain),
    venues: listed(confirmed),
    ...(candidates.length > 0 ? { candidates } : {}),
    ...attributionOf(chain.id, confirmed),
    finalityDepth: chain.finality.suggestedReorgDepth,
    blockTimeMs: chain.blockTimeMs,
    ...(floors[chain.id] === undefined ? {} : { ingestFloorUsd: floors[chain.id] })
  }
  const sources = chain.source.slice(0, 2).map(source => source.split(" ")[0])
  const text = `/**
 * ${chain.name}: facts from public packages and repositories, among them
 * ${sources.join(" and ")},
 * written by scripts/generate-chains.mjs. Venues and routers without two sources or an official one
 * are candidates; other rows without them are left out.
 */
import { defineChain } from "./define-chain.ts"

export const ${key} = defineChain(${textOf(config)})
`
  writeFileSync(new URL(`../src/domain/chains/${key}.ts`, import.meta.url), text)
}

spawnSync("npx", ["biome", "check", "--write", "src/domain/chains"], { stdio: "inherit" })
