/**
 * URLs of every declared route that tells of chains: with the values its parameters need, and with
 * the others that they may have by their declaration.
 */
import { type Endpoint, endpoints } from "../../api/endpoints.ts"
import { base58Ids, idBytes } from "../../src/domain/ids.ts"
import { exampleValues } from "./example-values.ts"

/** The text of an account as Solana writes it: an address with its 12 zeros. */
export const inBase58 = (account: string): string => base58Ids.account(idBytes(account))

export interface Asked {
  readonly chain: { readonly id: number; readonly key: string }
  readonly tokens: ReadonlyArray<string>
  readonly wallets: ReadonlyArray<string>
  readonly pools: ReadonlyArray<string>
  /** starts of minutes that have trades of the first token */
  readonly minutes: ReadonlyArray<number>
  /** `block` and `log` of a place in the middle of the tape, as cursors tell it */
  readonly middle: { readonly ts: number; readonly block: number; readonly logIndex: number }
}

/** Those that `others` tell are of no lane. */
export const declaredRoutes: ReadonlyArray<Endpoint> = endpoints().filter(
  ({ toldBy }) => toldBy !== "others"
)

const FRAMES = ["1s", "5s", "15s", "30s", "1m", "5m", "15m", "1h", "4h", "1d", "1w"]
const SIDES = "buys,sells,buyVol,sellVol,trades,buyers,sellers,filtered,hash,final"

const OF_SOLANA: ReadonlySet<string> = new Set(
  endpoints().flatMap(({ path }) => (path.includes("/solana/") ? [path] : []))
)

/** Whether Solana answers at that place by a route of its own, or never, as of holders. */
const isNotOfSolana = (path: string): boolean =>
  (path.includes(":chain") && OF_SOLANA.has(path.replace(":chain", "solana"))) ||
  path.endsWith("/holders")

/** Whether a route is of the chain's family, or of every one. */
export const isOf = ({ path }: Endpoint, { key }: Asked["chain"]): boolean => {
  if (key === "solana" && isNotOfSolana(path)) return false
  const family = /^\/v1\/(?:chains\/)?(arc|rh|solana|:chain)\//.exec(path)?.[1]
  if (family === ":chain") return key === "base" || key === "solana"
  // the others tell of Solana as of any chain
  return family === undefined ? key !== "solana" : family === key
}

/** Words that are refused where no pool is named. */
const OF_A_POOL: ReadonlyArray<string> = ["quote=token"]

/** What a parameter's declaration lets it be: each word, the least and the greatest limit. */
const declaredQueries = ({ path, parameters }: Endpoint): ReadonlyArray<string> =>
  Object.entries(parameters).flatMap(([name, { openapi }]) => {
    if (path.includes(`:${name}`)) return []
    const { enum: words, default: plain, minimum, maximum } = openapi.schema
    const values = Array.isArray(words) ? words : name === "limit" ? [minimum, maximum] : []
    const queries = values.filter(value => value !== plain).map(value => `${name}=${value}`)
    return queries.filter(query => !OF_A_POOL.includes(query))
  })

/** Queries that no declaration tells; `pool` and `t` are of the first token. */
const ownQueries = (path: string, asked: Asked): ReadonlyArray<string> => {
  const { ts, block, logIndex } = asked.middle
  const before = `${ts}:${block}:${logIndex}`
  if (path.endsWith("/candles") || path.includes("/tokens/chart/")) {
    const plain = FRAMES.flatMap(tf => [`tf=${tf}`, `tf=${tf}&fill=1`])
    if (!path.endsWith("/candles") || path.includes("/token/")) return plain
    return [
      ...plain,
      ...FRAMES.map(tf => `tf=${tf}&fields=${SIDES}`),
      ...["raw=1", "closed=1", "quote=mcap", `to=${ts}`, "limit=5000&tf=1m&raw=1"],
      ...asked.pools.flatMap(pool => [`pool=${pool}`, `pool=${pool}&quote=token&tf=1m`])
    ]
  }
  if (path.endsWith("/proof")) return asked.minutes.map(t => `tf=1m&t=${t}&limit=2`)
  if (/\/(arc|rh|:chain)\/tokens$/.test(path)) {
    const sorts = ["volume", "trades", "traders", "change", "mcap"]
    return [...sorts.map(sort => `sort=${sort}&includeUnlisted=1`), "limit=2&offset=1"]
  }
  if (path.endsWith("/tokens")) return ["includeUnlisted=1&limit=100"]
  if (path.includes("/tokens/trades/")) {
    const [wallet] = asked.wallets
    return ["min=1", `wallet=${wallet}`, "limit=3&page=2", "dex=none"]
  }
  if (path.endsWith("/trades")) return [`before=${before}&limit=5`]
  if (path.endsWith("/prints")) return [`before=${before}`, "min=20"]
  if (path.endsWith("/venues")) return ["days=1", "days=7"]
  if (path.endsWith("/search")) return ["q=T", "q=usdc"]
  if (path.endsWith("/holders")) return ["limit=3"]
  if (path.endsWith("/pools")) return ["limit=1&offset=1"]
  if (path.includes("/wallet/")) return ["days=1", "days=30"]
  return []
}

/** Words that a parameter gets where it must have one: of another its example. */
const NEEDED: { readonly [name: string]: (asked: Asked, token: string) => string } = {
  token: (_, token) => token,
  q: () => "T2",
  t: ({ minutes }) => String(minutes[0] ?? 0)
}

/** Queries of a route besides the plain one. */
const further = (route: Endpoint, asked: Asked): ReadonlyArray<string> => [
  ...new Set([...ownQueries(route.path, asked), ...declaredQueries(route)])
]

/** URLs of a route: plain ones, and `some` of those with other queries. */
export const urlsOf = (
  route: Endpoint,
  asked: Asked,
  some: (queries: ReadonlyArray<string>) => ReadonlyArray<string>
): ReadonlyArray<string> => {
  const { path } = route
  const parameters = Object.keys(route.parameters)
  const examples = exampleValues(route)
  const isNeeded = (name: string): boolean =>
    name in NEEDED || (name !== "chain" && name in examples)
  const isPath = (name: string): boolean => path.includes(`:${name}`)
  const asAsked = path.includes("/wallet/") ? asked.wallets : asked.tokens
  const named = path.startsWith("/v1/chains/solana/") ? asAsked.map(inBase58) : asAsked
  const addresses = isPath("address") || parameters.includes("token") ? named : [""]
  return addresses.flatMap((address, i) => {
    const place = path.replace(":chain", asked.chain.key).replace(":address", address)
    const needed = parameters
      .filter(name => !isPath(name) && isNeeded(name))
      .map(name => `${name}=${NEEDED[name]?.(asked, address) ?? examples[name]}`)
    const chain =
      parameters.includes("chain") && !isPath("chain") ? [`chain=${asked.chain.id}`] : []
    const plain = [...chain, ...needed].join("&")
    const more = i === 0 ? some(further(route, asked)) : []
    const others = more.map(query => {
      const given = new Set(query.split("&").map(part => part.split("=")[0]))
      const rest = [...chain, ...needed].filter(part => !given.has(part.split("=")[0]))
      return [...rest, query].join("&")
    })
    return [plain, ...others].map(query => (query === "" ? place : `${place}?${query}`))
  })
}
