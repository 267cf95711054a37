/** Pages that readers ask for: candles and trades of tokens that trade. */
import { seededRandom } from "../../streams/sources/devchain/random.ts"
import { getOnce } from "./keep-alive-client.ts"

/** The most traded tokens of a chain, as the API lists them. */
export const tradedTokens = async (
  port: number,
  chain: number,
  count: number
): Promise<ReadonlyArray<string>> => {
  const answer = await getOnce(port, `/v1/tokens?chain=${chain}&limit=${count}&includeUnlisted=1`)
  if (answer.status !== 200) throw new Error(`the list of tokens: ${answer.status} ${answer.body}`)
  const list = JSON.parse(answer.body.toString()) as {
    readonly tokens: ReadonlyArray<{ readonly address: string }>
  }
  return list.tokens.map(({ address }) => address)
}

const FRAMES = ["1m", "5m", "15m", "1h"] as const

export const candlesPage = (chain: number, token: string, tf: string, limit: number): string =>
  `/v1/candles?chain=${chain}&token=${token}&tf=${tf}&limit=${limit}`

export const tradesPage = (key: string, token: string, limit: number): string =>
  `/v1/chains/${key}/token/${token}/trades?limit=${limit}`

/** Different pages, in no order: no two are the same, so none comes from the cache. */
const distinct = (seed: string, count: number, draw: (pick: Pick) => string) => {
  const random = seededRandom(seed, "pages")
  const pick: Pick = limit => Math.floor(random.next() * limit)
  const pages = new Set<string>()
  for (let tries = 0; pages.size < count && tries < count * 20; tries++) pages.add(draw(pick))
  return [...pages]
}

type Pick = (limit: number) => number

/** Pages of 100 to 400 candles; other seeds give others. */
export const manyCandles = (
  seed: string,
  chain: number,
  tokens: ReadonlyArray<string>,
  count: number
): ReadonlyArray<string> =>
  distinct(`${seed} candles`, count, pick =>
    candlesPage(
      chain,
      tokens[pick(tokens.length)] as string,
      FRAMES[pick(FRAMES.length)] as string,
      100 + pick(301)
    )
  )

/** Pages of 25 to 125 trades; other seeds give others. */
export const manyTrades = (
  seed: string,
  key: string,
  tokens: ReadonlyArray<string>,
  count: number
): ReadonlyArray<string> =>
  distinct(`${seed} trades`, count, pick =>
    tradesPage(key, tokens[pick(tokens.length)] as string, 25 + pick(101))
  )
