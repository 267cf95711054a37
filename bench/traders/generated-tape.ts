/**
 * Fills the tables of a lane with a market of Solana: swaps of heavy-tailed wallets and tokens, the
 * pools and tokens they are of, and nothing that boards of traders do not read. What is drawn is a
 * hash of its number, so that a market is the same in every run.
 */
import { Effect } from "effect"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { beginWriting } from "../../engine/store/begin-writing.ts"
import { compact } from "../../engine/store/compaction.ts"
import { commit, openStore, type Store } from "../../engine/store/store.ts"
import { storedColumns, type TableDef, tailName } from "../../engine/store/table.ts"
import { allProjections } from "../../projections/all.ts"
import { logStartTable } from "../../projections/coverage/tables.ts"
import { marketsTable } from "../../projections/markets/tables.ts"
import { poolsTable } from "../../projections/pools/output.ts"
import { poolPricesTable, tokenPricesTable } from "../../projections/prices/tables.ts"
import { tapeTable } from "../../projections/tape/tables.ts"
import { tokensTable } from "../../projections/tokens/output.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import { idBytes } from "../../src/domain/ids.ts"

export interface TapePlan {
  readonly swaps: number
  readonly wallets: number
  readonly tokens: number
  readonly days: number
}

const DAY = 86_400
/** Unix seconds of the market's last second: noon of a day. */
const END = 1_790_000_000 - (1_790_000_000 % DAY) + DAY / 2
const SOL_USD = 150
/** Swaps a block, and those that are written at once. */
const PER_BLOCK = 20
const PART = 2_000_000

/** A number from 0 to below 1 that follows from a number and a salt. */
const unit = (of: string, salt: string): string =>
  `((hash(${of}, '${salt}') & 1048575)::DOUBLE / 1048576)`
const wide = (of: string, salt: string): string =>
  `((hash(${of}, '${salt}')::UHUGEINT << 64) | hash(${of}, '${salt}+')::UHUGEINT)`

/** The words of an account that follows from a number. */
const accountWords = (of: string, salt: string) => ({
  top: `(${wide(of, salt)} >> 32)`,
  hi: wide(of, `${salt}.`),
  lo: `(hash(${of}, '${salt}lo') & 4294967295)::UINTEGER`
})

/** Columns that are not named are empty: null where they may be, else 0. */
const rowsOf = (def: TableDef, given: { readonly [column: string]: string }): string =>
  storedColumns(def)
    .map(({ name }) => {
      const empty = name.endsWith("_ts") || name === "first_ts" ? "0" : "NULL"
      return `${given[name] ?? empty} AS ${name}`
    })
    .join(", ")

const insert = (def: TableDef, given: { readonly [column: string]: string }, from: string) =>
  `INSERT INTO ${tailName(def)} SELECT ${rowsOf(def, given)} FROM ${from}`

/** Anchors are the first tokens, in the order of the chain; SOL is the last of them. */
const ANCHORS = solana.anchors.length
const SOL = ANCHORS - 1

const anchorWords = (address: string) => {
  const digits = Buffer.from(idBytes(address)).toString("hex")
  const word = (from: number, to: number) => BigInt(`0x${digits.slice(from, to)}`)
  return { top: word(0, 24), hi: word(24, 56), lo: word(56, 64) }
}

/** What is the same for all swaps: anchors, tokens, and a pool of SOL for each token. */
const staticStatements = ({ tokens }: TapePlan): ReadonlyArray<string> => {
  const token = accountWords("i", "token")
  const facts = { decimals: "6", transfer_fee: "NULL", seq: "1" }
  const anchors = solana.anchors.map(({ address, symbol, decimals }, i) => {
    const { top, hi, lo } = anchorWords(address)
    const words = { address_top: `${top}::UHUGEINT`, address_hi: `${hi}::UHUGEINT` }
    const own = { token: String(i), address_lo: String(lo), symbol: `'${symbol}'` }
    return insert(
      tokensTable,
      { ...facts, ...words, ...own, name: own.symbol, decimals: String(decimals) },
      "range(1)"
    )
  })
  const words = { address_top: token.top, address_hi: token.hi, address_lo: token.lo }
  const all = `(SELECT range AS i FROM range(${ANCHORS}, ${ANCHORS + tokens}))`
  const poolId = { id_hi: wide("i", "pool"), id_lo: wide("i", "pool.") }
  // a pool's number is that of its token, those of the anchors hold nothing
  const every = `(SELECT range AS i FROM range(0, ${ANCHORS + tokens}))`
  const depth = `CASE WHEN i = ${SOL} THEN 10000000 / ${SOL_USD} WHEN i < ${SOL} THEN 0
    ELSE (20 + 5000 * pow(${unit("i", "depth")}, 6)) END`
  return [
    ...anchors,
    insert(
      tokensTable,
      { ...facts, ...words, token: "i", symbol: "'T' || i", name: "'Token ' || i" },
      all
    ),
    insert(
      poolsTable,
      {
        ...poolId,
        ...{ pool: "i", venue: "'pumpswap'", kind: "'pumpswap'", fee: "2500" },
        ...{ token0: "i", token1: `${SOL}`, is_claim: "0", seq: "1" }
      },
      every
    ),
    insert(
      poolPricesTable,
      {
        ...{ pool: "i", reserve0: "1e12", reserve1: `1e9 * (${depth})`, root: "0", flat: "0" },
        ...{ whole: "1", held: "0", owed: "0", quote: `${SOL}`, price: "1e-6", unit: "1e-6" },
        ...{ side: depth, side_was: depth, backed: depth, depth, ts: `${END}`, seq: "1" },
        ...{ quote_usd: `${SOL_USD}` }
      },
      every
    ),
    insert(
      tokenPricesTable,
      {
        ...{ token: "i", depth, pool: "i", listed: "1", ts: `${END}`, seq: "1" },
        price: `CASE WHEN i = ${SOL} THEN ${SOL_USD} WHEN i < ${SOL} THEN 1 ELSE 1e-6 END`,
        quote: `CASE WHEN i < ${ANCHORS} THEN NULL ELSE ${SOL} END`,
        told_ts: `${END}`
      },
      every
    ),
    insert(
      marketsTable,
      { market: "i", pool: "i", token0: "i", token1: `${SOL}`, venue: "0", seq: "1" },
      every
    ),
    insert(logStartTable, { slot: "0", block: "1000", ts: "1000", seq: "1" }, "range(1)")
  ]
}

/** The swaps from a number on: a wallet mostly trades some tokens of its own, again and again. */
const swapsStatement = ({ swaps, wallets, tokens, days }: TapePlan, from: number): string => {
  const wallet = accountWords("w", "wallet")
  const walletWords = { wallet_top: wallet.top, wallet_hi: wallet.hi, wallet_lo: wallet.lo }
  const many = (salt: string) => `(${tokens} * pow(${unit("k", salt)}, 4))::BIGINT`
  const source = `(SELECT *, (exp(2 * sin(t + ts / 9000.0)) * 1e-4) AS price,
      20 * exp(4 * ${unit("i", "size")}) AS dollars FROM (
    SELECT i, w, ts, least(${tokens - 1}, CASE WHEN i % 10 < 7 THEN ${many("own")}
        ELSE ${many("any")} END) + ${ANCHORS} AS t FROM (
      SELECT i, w, ts, CASE WHEN i % 10 < 7 THEN w * 64 + (40 * pow(${unit("i", "which")}, 2))::BIGINT
        ELSE i END AS k FROM (
        SELECT range AS i, ${END - days * DAY} + (range * ${days * DAY} // ${swaps}) AS ts,
          least(${wallets - 1}, (${wallets} * pow(${unit("range", "wallet")}, 5))::BIGINT) AS w
        FROM range(${from}, ${Math.min(swaps, from + PART)})))))`
  return insert(
    tapeTable,
    {
      ...walletWords,
      ...{ block: `2000 + i // ${PER_BLOCK}`, ts: "ts", log_index: `(i % ${PER_BLOCK}) * 4` },
      ...{ tx_top_hi: wide("i", "a"), tx_top_lo: wide("i", "b") },
      ...{ tx_hi: wide("i", "c"), tx_lo: wide("i", "d"), pool: "t", token0: "t" },
      ...{ token1: `${SOL}`, amount0: "dollars / price", amount1: `dollars / ${SOL_USD}` },
      ...{ bought0: `(hash(i, 'side') & 1)::UTINYINT`, usd: "(dollars * 1e6)::BIGINT" },
      ...{ price0: "price", price1: `${SOL_USD}`, unscaled: "0", flags: "0" },
      ...{ attribution: "1", seq: "i + 2" }
    },
    source
  )
}

const run = (store: Store, sql: string) =>
  Effect.gen(function* () {
    yield* beginWriting(store)
    yield* store.writer.run(sql)
  })

/** Writes the tables of a lane, sorted as its upkeep leaves them, but for a tail of the newest. */
export const writeTape = (file: string, plan: TapePlan, databaseMb: number) =>
  Effect.gen(function* () {
    const { tables } = newFoldSet(solana, allProjections)
    const store = yield* openStore(file, tables, { threads: 2, databaseMb })
    const at = (seq: number) => ({
      ...{ seq, streamSeq: seq, hash: "", block: 2000 + Math.floor(seq / PER_BLOCK) },
      blockTime: END
    })
    const sorted = [tapeTable.name, "wallet_swaps"]
    const some = { ...store, tables: tables.filter(({ name }) => sorted.includes(name)) }
    for (const sql of staticStatements(plan))
      yield* run(store, sql).pipe(Effect.andThen(commit(store, at(1))))
    for (let from = 0; from < plan.swaps; from += PART) {
      const end = Math.min(plan.swaps, from + PART)
      yield* run(store, swapsStatement(plan, from))
      yield* commit(store, at(end + 1))
      // what came last stays unsorted, as it does on a lane
      if (end < plan.swaps) yield* compact(some, at(end + 1), { minTailRows: 1, share: 0.05 })
    }
    yield* store.writer.run("CHECKPOINT")
  }).pipe(Effect.scoped)
