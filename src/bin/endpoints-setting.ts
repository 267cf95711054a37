/** Reads `RPC_<chainId>`, and checks the names of all settings by chain before anything starts. */
import { Effect } from "effect"
import { type ChainConfig, isNamed } from "../domain/chain.ts"
import { type NamedChain, rpcSettingOf, settingOf } from "../domain/shown-chain.ts"
import { optionalList, SettingError, settingsAfter } from "../platform/environment.ts"
import { isRpcUrl } from "../platform/rpc.ts"

const PREFIX = "RPC_"

const refuse = (message: string) => Effect.fail(new SettingError({ message }))

/**
 * Returns the endpoints of a chain; none where the setting is absent. Errors show no URL, since
 * URLs hold secrets.
 */
export const endpointsOf = (chain: NamedChain) =>
  Effect.gen(function* () {
    const name = rpcSettingOf(chain)
    const endpoints = yield* optionalList(name)
    if (endpoints === null) return []
    const bad = endpoints.findIndex(url => !isRpcUrl(url))
    if (endpoints.length > 0 && bad < 0) return endpoints
    return yield* refuse(
      `${name}: ${endpoints.length === 0 ? "it" : `part ${bad + 1} of it`} must be a URL ` +
        "that begins with http://, https://, ws:// or wss://"
    )
  })

/** Returns the warning about a setting whose name holds no chain's id. */
const passedOver = (what: string): string => {
  return `${PREFIX}${what} is passed over: a chain goes by its id, as in ${PREFIX}8453`
}

/** What else is set by chain. Of a simulated chain only the pins have an effect. */
const PINS = ["PIN_", "UNPIN_"] as const
const OF_NODES = ["START_", "BACKFILL_FROM_", "BACKFILL_ORDER_", "BACKFILL_PROVE_"] as const

/**
 * Fails for settings of an unknown chain id, and for a chain's key in place of its id, since they
 * would be ignored. Warns about any other name of endpoints; other programs may have a `START_…`.
 */
export const refuseUnknownChains = (known: ReadonlyArray<ChainConfig>) =>
  Effect.gen(function* () {
    for (const prefix of [PREFIX, ...OF_NODES, ...PINS]) {
      for (const what of yield* settingsAfter(prefix)) {
        if (known.some(chain => settingOf(chain) === what)) continue
        const named = known.find(chain => isNamed(chain, what))
        if (named !== undefined) {
          return yield* refuse(
            `${prefix}${what}: a chain goes by its id here, ${prefix}${settingOf(named)}`
          )
        }
        if (!/^\d+$/.test(what)) {
          if (prefix === PREFIX) yield* Effect.logWarning(passedOver(what))
          continue
        }
        const ids = known.map(chain => `${settingOf(chain)} (${chain.key})`).join(", ")
        return yield* refuse(
          `${prefix}${what}: there is no chain ${what}, only ${ids}: ` +
            "describe it in a file and set CHAINS_FILE (docs/chains.md)"
        )
      }
    }
  })

/** Warns of each setting of a chain that is not served, or simulated where it is about nodes. */
export const tellIdle = (
  chains: ReadonlyArray<{ readonly chain: ChainConfig; readonly endpoints: ReadonlyArray<string> }>
) =>
  Effect.gen(function* () {
    for (const prefix of [...OF_NODES, ...PINS]) {
      for (const what of yield* settingsAfter(prefix)) {
        if (!/^(\d+|SOLANA)$/.test(what)) continue
        const served = chains.find(({ chain }) => settingOf(chain) === what)
        const isSimulated = served !== undefined && served.endpoints.length === 0
        if (served !== undefined && !(isSimulated && OF_NODES.some(one => one === prefix))) continue
        yield* Effect.logWarning(
          `${prefix}${what} has no effect: chain ${what} is ${isSimulated ? "simulated" : "off"}; ` +
            `set ${PREFIX}${what}`
        )
      }
    }
  })
