/** Reads the engine's settings from the environment (`.env.example` lists them). */

import { resolve } from "node:path"
import { Effect } from "effect"
import { MIN_LANE_MEMORY_MB } from "../../engine/lane/lane-memory.ts"
import { type Upkeep, upkeepDefaults } from "../../engine/lane/lane-open.ts"
import {
  MIN_DAYS,
  RETENTION_SETTINGS,
  type Retention,
  type RowClass,
  refusedRetention
} from "../../engine/store/retention.ts"
import { parseAddress } from "../domain/address.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { familyOf } from "../domain/chain-family.ts"
import { allChains } from "../domain/chains/registry.ts"
import { type NamedChain, settingOf } from "../domain/shown-chain.ts"
import { holderPinsConfig, rateLimitConfig } from "../platform/api-config.ts"
import {
  blockOrLatest,
  integerOr,
  oneOf,
  optionalList,
  optionalText,
  portOr,
  SettingError,
  textOr
} from "../platform/environment.ts"
import { readChains } from "./chain-choice.ts"
import { DEVCHAINS, withDevchainFacts } from "./devchain-facts.ts"
import { endpointsOf, refuseUnknownChains, tellIdle } from "./endpoints-setting.ts"
import { withTokenLists } from "./token-lists.ts"

/** A chain to run a lane for, and its RPC endpoints; without endpoints it runs on a devchain. */
export interface ChainSetting {
  readonly chain: ChainConfig
  readonly endpoints: ReadonlyArray<string>
  /** first block of a new log: a number or `latest`, which null means too */
  readonly start: string | null
  readonly backfill: Backfill
  /** pinned tokens, all of whose transfers are logged; lower-case addresses */
  readonly pins: ReadonlyArray<string>
  /** tokens whose pin is taken back and that nobody may pin; lower-case addresses */
  readonly unpins: ReadonlyArray<string>
}

/** How earlier blocks are read beside the head. */
export interface Backfill {
  /** first block to read; null: no backfill */
  readonly from: number | null
  /** which blocks are read first */
  readonly order: "newest" | "oldest"
  /** true: read each block with its receipts, which prove it; false: read logs by ranges */
  readonly prove: boolean
}

const NO_BACKFILL: Backfill = { from: null, order: "newest", prove: false }

/** Settings of every command that answers requests. */
export interface ServeSettings {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly rateLimit: { readonly enforced: boolean; readonly loopbackEnforced: boolean }
  /** a request pins a token only where its chain has fewer pins */
  readonly holderPins: number
  readonly threads: number
  readonly upkeep: Upkeep
}

export interface Settings extends ServeSettings {
  readonly chains: ReadonlyArray<ChainSetting>
}

/** Parses a token's address to lower case; fails with the setting's name. */
export const tokenOf = (name: string, text: string) => {
  const token = parseAddress(text)
  return token === null
    ? Effect.fail(new SettingError({ message: `${name}: ${text} is no address of a token` }))
    : Effect.succeed(token.toLowerCase())
}

/** Reads `PIN_<chainId>`: the tokens of a chain to pin. */
export const pinsOf = (chain: NamedChain) =>
  Effect.gen(function* () {
    const name = `PIN_${settingOf(chain)}`
    const tokens = yield* optionalList(name)
    if (tokens !== null && !familyOf(chain).readsTransfers) {
      const message = `${name}: transfers of tokens are not read there, so none is pinned`
      return yield* new SettingError({ message })
    }
    return yield* Effect.forEach(tokens ?? [], text => tokenOf(name, text))
  })

/** Reads `PIN_<chainId>` and `UNPIN_<chainId>`; fails where a token is in both. */
const pinSettings = (chain: NamedChain) =>
  Effect.gen(function* () {
    const pins = yield* pinsOf(chain)
    const of = settingOf(chain)
    const name = `UNPIN_${of}`
    const unpins = yield* Effect.forEach((yield* optionalList(name)) ?? [], text =>
      tokenOf(name, text)
    )
    const both = unpins.find(token => pins.includes(token))
    if (both === undefined) return { pins, unpins }
    const message = `${name}: ${both} is in PIN_${of} too: remove it from one of them`
    return yield* new SettingError({ message })
  })

/** The settings of the chains that are simulated; `DEVCHAIN_SOLANA=off` leaves Solana out. */
const devchains = Effect.gen(function* () {
  const solana = yield* oneOf("DEVCHAIN_SOLANA", ["on", "off"])
  const keys = DEVCHAINS.filter(key => key !== "solana" || solana === "on")
  return yield* Effect.forEach(
    allChains.filter(({ key }) => keys.some(one => one === key)),
    chain =>
      Effect.map(pinSettings(chain), (pinning): ChainSetting => {
        const own = withDevchainFacts(chain)
        return { chain: own, endpoints: [], start: null, backfill: NO_BACKFILL, ...pinning }
      })
  )
})

const backfillOf = (chain: NamedChain) =>
  Effect.gen(function* () {
    const of = settingOf(chain)
    const name = `BACKFILL_FROM_${of}`
    const from = (yield* optionalText(name)) === null ? null : yield* integerOr(name, 0)
    const order = yield* oneOf(`BACKFILL_ORDER_${of}`, ["newest", "oldest"])
    const prove = yield* oneOf(`BACKFILL_PROVE_${of}`, ["off", "on"])
    return { from, order, prove: prove === "on" } satisfies Backfill
  })

const chainSettings = Effect.gen(function* () {
  const configured: Array<ChainSetting> = []
  const known = yield* readChains([])
  yield* refuseUnknownChains(known)
  for (const chain of known) {
    const endpoints = yield* endpointsOf(chain)
    if (endpoints.length === 0) continue
    const start = yield* blockOrLatest(`START_${settingOf(chain)}`)
    const backfill = yield* backfillOf(chain)
    configured.push({ chain, endpoints, start, backfill, ...(yield* pinSettings(chain)) })
  }
  if (configured.length > 0) return yield* withTokenLists(configured, false)
  return yield* withTokenLists(yield* devchains, true)
})

/** Reads for how many full days beside the present one rows of a class are kept; null for all. */
const daysOf = (rows: RowClass) =>
  Effect.gen(function* () {
    const name = RETENTION_SETTINGS[rows]
    return (yield* optionalText(name)) === null ? null : yield* integerOr(name, 0, MIN_DAYS)
  })

const readRetention = Effect.gen(function* () {
  const retention: Retention = { raw: yield* daysOf("raw"), minutes: yield* daysOf("minutes") }
  const message = refusedRetention(retention)
  return message === null ? retention : yield* new SettingError({ message })
})

/** Reads how a lane keeps its tables, for every command that folds. */
export const readUpkeep = Effect.gen(function* () {
  const upkeep: Upkeep = {
    compactEvery: yield* integerOr("COMPACT_EVERY", upkeepDefaults.compactEvery, 1),
    compactRows: yield* integerOr("COMPACT_ROWS", upkeepDefaults.compactRows, 1),
    snapshotEvery: yield* integerOr("SNAPSHOT_EVERY", upkeepDefaults.snapshotEvery, 1),
    retention: yield* readRetention,
    memoryMb: yield* integerOr("LANE_MEMORY_MB", upkeepDefaults.memoryMb, MIN_LANE_MEMORY_MB)
  }
  return upkeep
})

/** Reads the settings of serving; fails with the name of a wrong setting. */
export const readServeSettings = Effect.gen(function* () {
  const settings: ServeSettings = {
    port: yield* portOr("PORT", 8080),
    host: yield* textOr("HOST", "127.0.0.1"),
    dataDir: resolve(yield* textOr("DATA_DIR", "./data")),
    rateLimit: yield* rateLimitConfig,
    holderPins: yield* holderPinsConfig,
    threads: yield* integerOr("DUCKDB_THREADS", 1, 1),
    upkeep: yield* readUpkeep
  }
  return settings
})

/** Reads all settings; fails with the name of a wrong setting. */
export const readSettings = Effect.gen(function* () {
  const settings: Settings = {
    ...(yield* readServeSettings),
    chains: yield* chainSettings
  }
  yield* tellIdle(settings.chains)
  return settings
})
