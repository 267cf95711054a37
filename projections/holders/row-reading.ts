/**
 * A token's ledger as of a commit, from its tables: what memory cannot tell because the fold has
 * gone too far since. It looks at every holder of the token.
 */
import { Effect } from "effect"
import type { QueryContext, Row } from "../../engine/query.ts"
import { addressOf, hashOf, versions } from "../../engine/store/sql.ts"
import type { Audit } from "./audits.ts"
import { WALLET } from "./known-holders.ts"
import type { HolderLedger, Mark } from "./ledger.ts"
import type { Asked, HolderRow, Reading } from "./reading.ts"

const MODULUS = 2n ** 256n

/** The newest version of each row under a condition. */
const newest = (table: string, key: string, where: string): string =>
  `(SELECT * FROM (${versions(table, where)})
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1)`

const wide = (row: Row, over: string, low: string): bigint =>
  BigInt(Number(row[over])) * MODULUS + BigInt(hashOf(row, low) ?? 0)

const markOf = (row: Row): Mark => ({
  fromBlock: Number(row["from_block"]),
  toBlock: Number(row["to_block"]),
  reach: row["reach"] === null ? null : String(row["reach"]),
  grade: row["grade"] === null ? null : String(row["grade"]),
  at: Number(row["at_block"]),
  seq: Number(row["seq"])
})

/** The four 64-bit words of a balance, added up over rows: sums of 128-bit words overflow. */
const WORDS = ["hi", "lo"].flatMap(part => [
  `coalesce(sum((balance_${part} // 18446744073709551616)::HUGEINT), 0) AS ${part}_high`,
  `coalesce(sum((balance_${part} % 18446744073709551616)::HUGEINT), 0) AS ${part}_low`
])

const IS_POSITIVE = `(over > 0 OR (over = 0 AND (balance_hi <> 0 OR balance_lo <> 0)))`

/** How many rows there are under a condition, and the sum of their balances. */
const totals = (context: QueryContext, from: string, where: string) =>
  context
    .rows(
      `SELECT count(*) AS rows, coalesce(sum(over), 0)::BIGINT AS over, ${WORDS.join(", ")}
       FROM ${from} WHERE ${where}`
    )
    .pipe(
      Effect.map(([row]) => {
        const word = (name: string): bigint => BigInt((row?.[name] ?? 0) as bigint)
        const low = (word("hi_high") << 192n) + (word("hi_low") << 128n)
        const rest = (word("lo_high") << 64n) + word("lo_low")
        return { rows: Number(word("rows")), sum: word("over") * MODULUS + low + rest }
      })
    )

const auditIn = (row: Row): Audit | null => {
  const number = (name: string): number => Number(row[`audit_${name}`])
  const sampled = number("sampled")
  const differing = number("differing")
  return sampled === 0 ? null : { block: number("block"), at: number("time"), sampled, differing }
}

/** As `readLedger`, of the tables at the context's commit. */
export const readTables = Effect.fnUntraced(function* (
  context: QueryContext,
  ledger: HolderLedger,
  token: number,
  { block, rows, wallets }: Asked
) {
  const tokenRows = yield* context.rows(newest("holder_tokens", "slot", `slot = ${token}`))
  const [facts] = tokenRows
  if (facts === undefined) return null
  const marks = yield* context.rows(
    `SELECT * FROM ${newest("holder_marks", "mark", `token = ${token}`)} ORDER BY mark`
  )
  const now = newest("holder_balances", "entry", `token = ${token}`)
  const special = ledger
    .memoryOf(token)
    .special.filter(entry => ledger.kindOf(entry, block) !== WALLET)
  const isSpecial = special.length === 0 ? "false" : `entry IN (${special.join(",")})`
  const positive = yield* totals(context, now, IS_POSITIVE)
  const negative = yield* totals(context, now, "over < 0")
  const elsewhere = yield* totals(context, now, `${IS_POSITIVE} AND ${isSpecial}`)
  const limit = rows === 0 ? 0 : Math.max(rows, wallets) + special.length
  const found = yield* context.rows(
    `SELECT entry, holder_hi, holder_lo, over, balance_hi, balance_lo FROM ${now}
     WHERE ${IS_POSITIVE}
     ORDER BY over DESC, balance_hi DESC, balance_lo DESC, holder_hi, holder_lo LIMIT ${limit}`
  )
  const top = found.map(
    (row): HolderRow => ({
      holder: addressOf(row, "holder") ?? "",
      balance: wide(row, "over", "balance"),
      kind: ledger.kindOf(Number(row["entry"]), block)
    })
  )
  const reading: Reading = {
    logs: Number(facts["logs"]),
    sums: {
      made: wide(facts, "made_over", "made"),
      burned: wide(facts, "burned_over", "burned"),
      kept: wide(facts, "kept_over", "kept")
    },
    supply: Number(facts["has_supply"]) === 0 ? null : BigInt(hashOf(facts, "supply") ?? 0),
    fits: Number(facts["fits"]),
    audit: auditIn(facts),
    holders: positive.rows,
    negatives: negative.rows,
    held: positive.sum,
    heldElsewhere: elsewhere.sum,
    top,
    marks: marks.map(markOf)
  }
  return reading
})
