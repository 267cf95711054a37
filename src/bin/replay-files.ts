/** What a replay reads and reports of a family of chains: logs of EVM, and answers of Solana. */

import { Effect } from "effect"
import type { LogReader } from "../../engine/log/tape-log.ts"
import { venueRows } from "../../streams/solana/venue-table.ts"
import { solanaVenues } from "../../streams/solana/venues.ts"
import { type FileSource, makeFileSource } from "../../streams/sources/file/file-source.ts"
import { makeSolanaFileSource } from "../../streams/sources/solana-file/solana-file-source.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { familyOf } from "../domain/chain-family.ts"
import { wrongUsage } from "../platform/command-line.ts"
import { reportText, reportVenues } from "./replay-report.ts"
import { remarkLines, venueLines } from "./solana-report.ts"

export interface FileOptions {
  readonly files: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<string>
  readonly blocks: ReadonlyArray<string>
  readonly txs: ReadonlyArray<string>
  readonly pins: ReadonlyArray<string>
  readonly skipUntimed: boolean
  readonly findRemoved: boolean
}

/** How often the log had something of the files before, and how long the reading took. */
interface Read {
  readonly repeated: number
  readonly seconds: number
}

/** The files of a replay, and what is said of them. */
export interface ReplayFiles {
  readonly source: FileSource
  /** what the files hold, as a word for many, which names their number in JSON too */
  readonly what: "logs" | "transactions"
  /** the first words of what is printed: how much was read */
  readonly words: (read: Read) => string
  /** the report on venues: its rows, and as text */
  readonly report: (log: LogReader) => ReturnType<typeof logReport>
}

const logReport = (chain: ChainConfig, log: LogReader) =>
  Effect.map(reportVenues(chain, log), rows => ({
    rows: rows as ReadonlyArray<object>,
    text: reportText(rows)
  }))

const filesOfLogs = (chain: ChainConfig, options: FileOptions): ReplayFiles => {
  const source = makeFileSource({ chain, ...options })
  return {
    source,
    what: "logs",
    words: ({ repeated, seconds }) => {
      const { logs, skipped, duplicates, rejected } = source.progress()
      return (
        `${logs} logs read in ${seconds.toFixed(2)} s (${skipped} of other chains, ` +
        `${duplicates + repeated} repeated, ${rejected} lines rejected)`
      )
    },
    report: log => logReport(chain, log)
  }
}

const filesOfSolana = (chain: ChainConfig, options: FileOptions): ReplayFiles => {
  const source = makeSolanaFileSource({ chain, ...options })
  const text = (): string => {
    const [checked, untold] = [source.checked(), source.untold()]
    const lines = [
      ...remarkLines(checked),
      ...(untold > 0 ? [`not written: ${untold} changes of liquidity of pools with no mints`] : []),
      ...venueLines(checked.table, solanaVenues)
    ]
    return `${lines.join("\n")}\n`
  }
  const nameOf = (number: number) => solanaVenues.find(one => one.number === number)?.name
  const rows = () =>
    venueRows(source.checked().table).map(row => ({ venue: nameOf(row.number), ...row }))
  return {
    source,
    what: "transactions",
    words: ({ repeated, seconds }) => {
      const { logs, duplicates, rejected } = source.progress()
      return (
        `${logs} transactions read in ${seconds.toFixed(2)} s (` +
        `${source.checked().failed} failed, ` +
        `${duplicates} told twice, ${repeated} events that the log had, ${rejected} rejected)`
      )
    },
    report: () => Effect.sync(() => ({ rows: rows(), text: text() }))
  }
}

/** Returns the files of a replay as the chain's family has them; nothing is read yet. */
export const replayFiles = (chain: ChainConfig, options: FileOptions): ReplayFiles =>
  (familyOf(chain).files === "blocks" ? filesOfSolana : filesOfLogs)(chain, options)

/** Options of files of logs alone, and why files of Solana have no use for them. */
const OF_LOGS = {
  "--txs": "a transaction of Solana tells who sent it",
  "--pin": "transfers of tokens are not read on Solana",
  "--find-removed": "no line of a file of Solana takes another back"
}

/** Fails where an option is given that the chain's files have no use for. */
export const mustBeOfFamily = (
  chain: ChainConfig,
  { txs, pins, findRemoved }: Pick<FileOptions, "txs" | "pins" | "findRemoved">
) => {
  const given = { "--txs": txs.length > 0, "--pin": pins.length > 0, "--find-removed": findRemoved }
  const options = Object.keys(OF_LOGS) as ReadonlyArray<keyof typeof OF_LOGS>
  const odd = familyOf(chain).files === "logs" ? undefined : options.find(name => given[name])
  return odd === undefined
    ? Effect.void
    : Effect.fail(wrongUsage("replay", `${odd} is of files of logs: ${OF_LOGS[odd]}`))
}
