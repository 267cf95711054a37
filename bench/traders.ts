/**
 * How long the traders of a busy token take to be found in a file that was just opened: 48 hours of
 * its prints, which are a part of all, on one thread of DuckDB as a lane has. The baseline is plain
 * SQL in the same file that sums the dollars of the same prints by wallet, and nothing else.
 */
import { join } from "node:path"
import { Effect } from "effect"
import { tokenTraders } from "../api/groups/token-traders/token-traders.query.ts"
import { ask } from "../engine/query.ts"
import { openStore } from "../engine/store/store.ts"
import { rowsName, storedColumns } from "../engine/store/table.ts"
import { printsTable } from "../projections/tape/tables.ts"
import { solana } from "../src/domain/chains/solana.ts"
import { MemoryLane } from "../test/support/memory-lane.ts"
import { MemoryLog } from "../test/support/memory-log.ts"
import { blocksOf, MINT, opening, reserves, sealed, swap } from "../test/support/small-solana.ts"
import { type Bench, type BenchResult, compared } from "./bench.ts"
import { median, quantile } from "./measure/quantile.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --prints N          of the token within 48 hours (3000000)
  --others N          of other tokens in these hours (7000000)
  --wallets N         wallets of the token's prints (200000)
  --rounds N          files opened, of which the median counts (7)`

const HOUR = 3600
const HOURS = 48
const MOST = 100
const NOW = 500_000 * HOUR + 1800
const SINCE = NOW - (NOW % HOUR) - HOURS * HOUR
/** The token's id: the first that the log has seen. */
const TOKEN = 0

interface Settings {
  readonly prints: number
  readonly others: number
  readonly wallets: number
  readonly rounds: number
}

/** What the columns of a print are, of the row number `i` of `n` and of a drawn number `d`. */
const valuesOf = ({ wallets }: Settings): { readonly [column: string]: string } => ({
  ts: `${SINCE} + (i * ${NOW - SINCE}) // n`,
  block: "1000000 + i // 20",
  log_index: "i % 20",
  pool: "0",
  buy: "(d // 7) % 2",
  usd: "1000000 + d % 500000000",
  price: "10",
  amount: "(1000000 + d % 500000000) / 1e7",
  other_amount: "(1000000 + d % 500000000) / 1e6",
  unscaled: "0",
  flags: "CASE WHEN d % 1000 = 0 THEN 1 ELSE 0 END",
  attribution: "1",
  wallet_top: `hash((d // 3) % ${wallets} + 1)::UHUGEINT`,
  wallet_hi: `hash((d // 3) % ${wallets} + 2)::UHUGEINT`,
  wallet_lo: `(hash((d // 3) % ${wallets}) % 4294967295)::UINTEGER`,
  tx_top_hi: "hash(i)::UHUGEINT * 18446744073709551616::UHUGEINT",
  tx_top_lo: "hash(i + 1)::UHUGEINT",
  tx_hi: "hash(i + 2)::UHUGEINT",
  tx_lo: "hash(i + 3)::UHUGEINT",
  seq: "i + 100"
})

/** Adds prints as a merge of the tables leaves them: by token, in the order of the log. */
const insertSql = (settings: Settings, count: number, token: string): string => {
  const values: { readonly [column: string]: string } = { ...valuesOf(settings), token }
  const list = storedColumns(printsTable).map(({ name }) => `${values[name]} AS ${name}`)
  return `INSERT INTO ${rowsName(printsTable)} SELECT ${list.join(", ")} FROM (
    SELECT range AS i, ${count} AS n, hash(range) % 1000000007 AS d FROM range(${count}))
    ORDER BY token, seq`
}

const logOf = (): MemoryLog => {
  const log = new MemoryLog()
  const before = SINCE - 100 * HOUR
  const trade = swap({ time: before + 1, by: null, tokens: 1, dollars: 10 })
  const events = [...opening(before), reserves(before, 10_000, 100_000), trade, sealed(NOW)]
  for (const block of blocksOf(events)) log.append(block)
  return log
}

/** Makes the file: a lane that stands at its log's end, and the prints. */
const fill = async (lane: MemoryLane, file: string, settings: Settings): Promise<void> => {
  await lane.start()
  await lane.fold(Number.POSITIVE_INFINITY)
  await lane.commit()
  await lane.close()
  const { prints, others } = settings
  say(`${prints} prints of the token among ${prints + others}`)
  await Effect.gen(function* () {
    const { writer } = yield* openStore(file, [printsTable], { threads: 2 })
    yield* writer.run(insertSql(settings, prints, String(TOKEN)))
    yield* writer.run(insertSql(settings, others, "1 + (d // 5) % 5000"))
    yield* writer.run("CHECKPOINT")
  }).pipe(Effect.scoped, Effect.runPromise)
}

const PLAIN = `SELECT sum(usd) FROM (SELECT wallet_lo, wallet_hi, sum(usd) AS usd
  FROM ${rowsName(printsTable)} WHERE token = ${TOKEN} AND ts >= ${SINCE} GROUP BY ALL)`

/** Asks for them; what is found must be a whole board. */
const askTraders = async (lane: MemoryLane): Promise<void> => {
  const request = ask(tokenTraders, { token: MINT, hours: HOURS, limit: MOST })
  const { body } = (await Effect.runPromise(lane.query(request))) as { body?: Uint8Array }
  const { traders } = JSON.parse(new TextDecoder().decode(body)) as {
    traders?: ReadonlyArray<unknown>
  }
  if (traders?.length !== MOST) throw new Error(`not ${MOST} traders were found`)
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    prints: { type: "string" },
    others: { type: "string" },
    wallets: { type: "string" },
    rounds: { type: "string" }
  })
  const settings: Settings = {
    prints: countOf("prints", options.prints, 3_000_000),
    others: countOf("others", options.others, 7_000_000),
    wallets: countOf("wallets", options.wallets, 200_000),
    rounds: countOf("rounds", options.rounds, 7)
  }
  return withFolder(async folder => {
    const file = join(folder, "lane.duckdb")
    const lane = new MemoryLane(solana, logOf(), file)
    await fill(lane, file, settings)
    const [own, plain]: [Array<number>, Array<number>] = [[], []]
    /** each of an open file of its own: neither finds what the other has read */
    const cold = async (work: () => Promise<unknown>): Promise<number> => {
      await lane.start()
      const took = await timed(work)
      await lane.close()
      return took
    }
    for (let round = 0; round < settings.rounds; round++) {
      own.push(await cold(() => askTraders(lane)))
      plain.push(await cold(() => lane.rows(PLAIN)))
    }
    const n = settings.prints
    return {
      bench: "traders",
      ...compared("traders_cold", "ms", median(own), median(plain), n),
      also: [compared("traders_cold_max", "ms", quantile(own, 1), quantile(plain, 1), n)]
    }
  })
}

export const traders: Bench = {
  name: "traders",
  about: "who traded a busy token most in 48 hours, from a file that was just opened",
  options: OPTIONS,
  run
}
