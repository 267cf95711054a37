/** Reads which aggregators swaps may fall back on, where they are asked, and with which keys. */
import { Effect } from "effect"
import type { AllowedRouter } from "../../engine/trade/meta/allow-list.ts"
import type { ProviderAccess } from "../../engine/trade/meta/ask-provider.ts"
import type { ChainFallbacks } from "../../engine/trade/meta/fallbacks.ts"
import {
  eachProvider,
  PROVIDER_IDS,
  PROVIDERS,
  type ProviderId
} from "../../engine/trade/meta/providers/all.ts"
import { parseAddress } from "../domain/address.ts"
import { optionalList, optionalText, SettingError } from "../platform/environment.ts"

const refuse = (message: string) => Effect.fail(new SettingError({ message }))

const isHttp = (url: string): boolean =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && !/[?#]/.test(url)

/** Reads `META_URL_<PROVIDER>` and `META_KEY_<PROVIDER>`. Errors show no URL and no key. */
const accessOf = (id: ProviderId) =>
  Effect.gen(function* () {
    const name = `META_URL_${id.toUpperCase()}`
    const url = yield* optionalText(name)
    if (url !== null && !isHttp(url)) {
      return yield* refuse(`${name}: it must be a URL that begins with http:// or https://`)
    }
    const key = yield* optionalText(`META_KEY_${id.toUpperCase()}`)
    const baseUrl = (url ?? PROVIDERS[id].baseUrl).replace(/\/+$/, "")
    return { baseUrl, key } satisfies ProviderAccess
  })

/** Reads how each provider is asked. */
export const readAccess = Effect.all(eachProvider(accessOf))

/** Reads `META_ROUTER_<PROVIDER>_<chainId>`: a contract, or two, the second to be approved. */
const routerOf = (id: ProviderId, chainId: number) =>
  Effect.gen(function* () {
    const name = `META_ROUTER_${id.toUpperCase()}_${chainId}`
    const parts = yield* optionalList(name)
    if (parts === null) return null
    const [router, spender] = [parts[0] ?? "", parts[1] ?? parts[0] ?? ""].map(parseAddress)
    if (!router || !spender || parts.length > 2) {
      return yield* refuse(
        `${name}: it must be the address of a contract, or two: what is called, what is approved`
      )
    }
    return { router, spender } as {
      readonly [name in keyof AllowedRouter]: string
    } as AllowedRouter
  })

/** Reads what a chain falls back on. */
export const readFallbacks = (chainId: number) =>
  Effect.gen(function* () {
    const name = `META_PROVIDERS_${chainId}`
    const named = yield* optionalList(name)
    const none = named?.length === 1 && named[0] === "none"
    const known = PROVIDER_IDS.filter(id => named?.includes(id))
    if (named !== null && !none && (known.length !== named.length || named.length === 0)) {
      return yield* refuse(
        `${name}: it must be none, or some of ${PROVIDER_IDS.join(", ")}, separated by commas`
      )
    }
    const routers: { -readonly [id in ProviderId]?: AllowedRouter } = {}
    for (const id of PROVIDER_IDS) {
      const router = yield* routerOf(id, chainId)
      if (router !== null) routers[id] = router
    }
    const providers = named === null ? null : none ? [] : (named as ReadonlyArray<ProviderId>)
    return { providers, routers } satisfies ChainFallbacks
  })
