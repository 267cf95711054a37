/** Reads `RPC_<chainId>`, a chain's endpoints, and checks them before anything starts. */
import { Effect } from "effect"
import type { ChainConfig } from "../domain/chain.ts"
import { optionalList, SettingError, settingsAfter } from "../platform/environment.ts"
import { isRpcUrl } from "../platform/rpc.ts"

const PREFIX = "RPC_"

const refuse = (message: string) => Effect.fail(new SettingError({ message }))

/**
 * Returns the endpoints of a chain; none where the setting is absent. Errors show no URL, since
 * URLs hold secrets.
 */
export const endpointsOf = (id: number) =>
  Effect.gen(function* () {
    const name = `${PREFIX}${id}`
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
  const why = what === "SOLANA" ? "only EVM chains are read" : "a chain goes by its id"
  return `${PREFIX}${what} is passed over: ${why}, as in ${PREFIX}8453`
}

/**
 * Fails for endpoints of an unknown chain id, and for a chain's key in place of its id, since such
 * endpoints would be ignored. Warns about any other name.
 */
export const refuseUnknownChains = (known: ReadonlyArray<ChainConfig>) =>
  Effect.gen(function* () {
    for (const what of yield* settingsAfter(PREFIX)) {
      const named = known.find(({ key }) => key === what.toLowerCase())
      if (named !== undefined) {
        return yield* refuse(`${PREFIX}${what}: a chain goes by its id here, ${PREFIX}${named.id}`)
      }
      if (!/^\d+$/.test(what)) {
        yield* Effect.logWarning(passedOver(what))
        continue
      }
      if (known.some(({ id }) => String(id) === what)) continue
      const ids = known.map(({ id, key }) => `${id} (${key})`).join(", ")
      return yield* refuse(
        `${PREFIX}${what}: there is no chain ${what}, only ${ids}: ` +
          "describe it in a file and set CHAINS_FILE (docs/chains.md)"
      )
    }
  })
