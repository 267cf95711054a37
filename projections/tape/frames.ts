/**
 * Live prints: each swap since the last commit, once for each topic that it belongs to. Topics are
 * found by what a swap names, so a print costs what it is told to, however many topics there are.
 */
import type { FrameMaker, RowWatch } from "../../engine/frames.ts"
import type { FoldsView, Row } from "../../engine/query.ts"
import { accountEquals, accountOf, numberOf, poolEquals, versions } from "../../engine/store/sql.ts"
import { idBytes, idsOf } from "../../src/domain/ids.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
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
  readonly of: TradeTopic["of"]
  /** what a swap names: text of a pool or wallet, id of a token, "" for the chain */
  readonly by: string | number
  /** micro-dollars; null for all prints */
  readonly least: number | null
  /** how a frame begins, up to its position */
  readonly head: string
}

/** The topics that there may be prints of: a token must be known. */
const watchedOf = (view: FoldsView, keys: ReadonlySet<string>): ReadonlyArray<Watched> =>
  [...keys].flatMap(key => {
    const topic = tradeTopicOf(key)
    const { of, id, minUsd } = topic
    const by = of === "token" ? view.output(tokens).find(idBytes(id)) : id
    if (by === -1) return []
    const { chain } = view
    const about = {
      type: "trade",
      channel: "trades",
      chain: shownChain(chain),
      ...tradeNames(topic)
    }
    const least = minUsd === null ? null : minUsd * 1e6
    return [{ key, of, by, least, head: JSON.stringify(about).slice(0, -1) }]
  })

/** The condition for the prints of a topic. */
const conditionOf = (view: FoldsView, { of, by, least }: Watched): string => {
  const id = String(by)
  const condition = {
    chain: () => "true",
    token: () => `token0 = ${id} OR token1 = ${id}`,
    pool: () => `pool IN (SELECT pool FROM (${versions(view, poolsTable, poolEquals("id", id))}))`,
    wallet: () => accountEquals("wallet", id)
  }[of]()
  return `(${condition})${least === null ? "" : ` AND usd >= ${least}`}`
}

/** Makes the frames of swaps for the topics that are read. */
const framesBy = (view: FoldsView, watched: ReadonlyArray<Watched>) => {
  const index = new Map<string, Array<Watched>>()
  for (const one of watched) {
    const name = `${one.of} ${one.by}`
    const known = index.get(name)
    if (known === undefined) index.set(name, [one])
    else known.push(one)
  }
  const readersOf = (of: TradeTopic["of"], by: string | number) => index.get(`${of} ${by}`) ?? []
  const isRead = (subject: TradeTopic["of"]) => watched.some(({ of }) => of === subject)
  const [pool, wallet] = [isRead("pool"), isRead("wallet")]
  const form = idsOf(view.chain)
  const byRow = (row: Row): ReadonlyArray<Watched> => [
    ...readersOf("chain", ""),
    ...(pool ? readersOf("pool", view.output(pools).idText(Number(row["pool"]))) : []),
    ...(wallet ? readersOf("wallet", accountOf(form, row, "wallet") ?? "") : [])
  ]
  const tell = (row: Row, readers: ReadonlyArray<Watched>, told: () => object) => {
    const usd = numberOf(row, "usd")
    const seq = Number(row["seq"])
    const wanted = readers.filter(({ least }) => least === null || (usd !== null && usd >= least))
    if (wanted.length === 0) return []
    const tail = `,"seq":${seq},"at":${Number(row["ts"])},"trade":${JSON.stringify(told())}}`
    return wanted.map(({ key, head }) => ({ key, seq, body: `${head}${tail}` }))
  }
  return (row: Row) => {
    const sides = [row["token0"], row["token1"]].filter(token => token !== null).map(Number)
    if (sides.length === 0) return []
    const ofSides = sides.flatMap(token =>
      tell(row, readersOf("token", token), () => printOf(view, token, row))
    )
    return [...ofSides, ...tell(row, byRow(row), () => swapRow(view, row))]
  }
}

const watch = (view: FoldsView, keys: ReadonlySet<string>): RowWatch | null => {
  const watched = watchedOf(view, keys)
  if (watched.length === 0) return null
  return {
    where: `(${watched.map(one => `(${conditionOf(view, one)})`).join(" OR ")}) AND ${HAS_TOKEN}`,
    framesOf: rows => rows.flatMap(framesBy(view, watched))
  }
}

export const tradeFrames: FrameMaker = {
  channel: "trades",
  named: key => tradeNames(tradeTopicOf(key)),
  table: tapeTable,
  watch
}
