/**
 * Live prints: each swap since the last commit, once for each topic that it belongs to. Topics are
 * found by what a swap names, so a print costs what it is told to, however many topics there are.
 */
import type { FrameMaker, RowWatch } from "../../engine/projection.ts"
import type { FoldsContext, Row } from "../../engine/query.ts"
import { addressEquals, addressOf, idEquals, numberOf, versions } from "../../engine/store/sql.ts"
import { fromHex } from "../../src/domain/address.ts"
import { pools, poolsTable } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { HAS_TOKEN } from "./cursor.ts"
import { printOf } from "./queries.ts"
import { swapRow } from "./swap-row.ts"
import { tapeTable } from "./tables.ts"
import { type TradeTopic, tradeNames, tradeTopicOf } from "./trade-topic.ts"

/** A topic that somebody reads. */
interface Watched {
  readonly key: string
  /** micro-dollars; null for all prints */
  readonly least: number | null
  /** how a frame begins, up to its position */
  readonly head: string
}

/** Topics by what a swap names: text of a pool or wallet, id of a token, "" for the chain. */
type Index = ReadonlyMap<string | number, ReadonlyArray<Watched>>

interface Found {
  readonly topic: TradeTopic
  readonly watched: Watched
  readonly by: string | number
}

const headOf = (context: FoldsContext, topic: TradeTopic): string => {
  const about = { type: "trade", channel: "trades", chain: context.chain.id, ...tradeNames(topic) }
  return JSON.stringify(about).slice(0, -1)
}

/** The topics that there may be prints of: a token must be known. */
const foundOf = (context: FoldsContext, keys: ReadonlySet<string>): ReadonlyArray<Found> =>
  [...keys].flatMap(key => {
    const topic = tradeTopicOf(key)
    const by = topic.of === "token" ? context.output(tokens).find(fromHex(topic.id)) : topic.id
    if (by === -1) return []
    const least = topic.minUsd === null ? null : topic.minUsd * 1e6
    return [{ topic, by, watched: { key, least, head: headOf(context, topic) } }]
  })

const indexOf = (found: ReadonlyArray<Found>, of: TradeTopic["of"]): Index => {
  const index = new Map<string | number, Array<Watched>>()
  for (const { topic, by, watched } of found) {
    if (topic.of !== of) continue
    const known = index.get(by)
    if (known === undefined) index.set(by, [watched])
    else known.push(watched)
  }
  return index
}

const NOBODY: ReadonlyArray<Watched> = []

const subjectSql = ({ topic: { of, id }, by }: Found): string => {
  switch (of) {
    case "chain":
      return "true"
    case "token":
      return `token0 = ${by} OR token1 = ${by}`
    case "pool":
      return `pool IN (SELECT pool FROM (${versions(poolsTable, idEquals("id", id))}))`
    case "wallet":
      return addressEquals("wallet", id)
  }
}

/** The condition for the prints of a topic. */
const conditionOf = (found: Found): string => {
  const { least } = found.watched
  return `(${subjectSql(found)})${least === null ? "" : ` AND usd >= ${least}`}`
}

/** Makes the frames of swaps for the topics that are read. */
const framesBy = (context: FoldsContext, found: ReadonlyArray<Found>) => {
  const [ofChain, ofToken, ofPool, ofWallet] = [
    indexOf(found, "chain").get("") ?? NOBODY,
    indexOf(found, "token"),
    indexOf(found, "pool"),
    indexOf(found, "wallet")
  ]
  const byRow = (row: Row): ReadonlyArray<Watched> => {
    const pool = ofPool.size === 0 ? "" : context.output(pools).idText(Number(row["pool"]))
    const wallet = ofWallet.size === 0 ? null : addressOf(row, "wallet")
    return [...ofChain, ...(ofPool.get(pool) ?? []), ...(ofWallet.get(wallet ?? "") ?? [])]
  }
  const tell = (row: Row, watched: ReadonlyArray<Watched>, told: () => object) => {
    const usd = numberOf(row, "usd")
    const seq = Number(row["seq"])
    const wanted = watched.filter(({ least }) => least === null || (usd !== null && usd >= least))
    if (wanted.length === 0) return []
    const tail = `,"seq":${seq},"at":${Number(row["ts"])},"trade":${JSON.stringify(told())}}`
    return wanted.map(({ key, head }) => ({ key, seq, body: `${head}${tail}` }))
  }
  return (row: Row) => {
    const sides = [row["token0"], row["token1"]].filter(token => token !== null)
    if (sides.length === 0) return []
    const ofSides = sides.flatMap(side => {
      const token = Number(side)
      return tell(row, ofToken.get(token) ?? NOBODY, () => printOf(context, token, row))
    })
    return [...ofSides, ...tell(row, byRow(row), () => swapRow(context, row))]
  }
}

const watch = (context: FoldsContext, keys: ReadonlySet<string>): RowWatch | null => {
  const found = foundOf(context, keys)
  if (found.length === 0) return null
  return {
    where: `(${found.map(one => `(${conditionOf(one)})`).join(" OR ")}) AND ${HAS_TOKEN}`,
    framesOf: rows => rows.flatMap(framesBy(context, found))
  }
}

export const tradeFrames: FrameMaker = {
  channel: "trades",
  named: key => tradeNames(tradeTopicOf(key)),
  table: tapeTable,
  watch
}
