/** `npm run solana:check`: decodes Solana's transactions and checks them with the vaults. */
import { Effect, Schema } from "effect"
import {
  type CheckedTransactions,
  nothingChecked,
  withChecked
} from "../../streams/solana/checked-transactions.ts"
import { readDocument } from "../../streams/solana/transaction/read-document.ts"
import { solanaVenues } from "../../streams/solana/venues.ts"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { runMain } from "../platform/environment.ts"
import { mustBeFile, readBytes, readGzip } from "../platform/files.ts"
import { loggerLayer } from "./logging.ts"
import { solanaReport } from "./solana-report.ts"

const HELP = `Decodes swaps of files of Solana's transactions, and holds each against its pool's vaults.

  npm run solana:check -- FILE...

  FILE                answers of getTransaction or getBlock as JSON, or one a line; .gz is unpacked

Prints what was found of each venue. Exits 1 where a swap is bad: the vaults hold something else
than its event says.`

/** The files hold no transaction. */
class NoTransactions extends Schema.TaggedError<NoTransactions>()("NoTransactions", {
  message: Schema.String
}) {}

const NEWLINE = 10
const venues = new Map(solanaVenues.map(venue => [venue.program, venue]))

const parsed = (text: string) =>
  Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => "no JSON" as const })

/** Returns the lines of a file that are not blank, with their numbers from 1. */
const linesOf = (bytes: Uint8Array): ReadonlyArray<readonly [number: number, text: string]> => {
  const lines: Array<readonly [number, string]> = []
  const decoder = new TextDecoder()
  for (let from = 0, number = 1; from < bytes.length; number++) {
    const next = bytes.indexOf(NEWLINE, from)
    const to = next < 0 ? bytes.length : next
    const text = decoder.decode(bytes.subarray(from, to))
    if (text.trim() !== "") lines.push([number, text])
    from = to + 1
  }
  return lines
}

/** Returns the documents of a file: one a line where the first line is one, else the whole. */
const documentsOf = (path: string, bytes: Uint8Array) =>
  Effect.gen(function* () {
    const lines = linesOf(bytes)
    const [first] = lines
    const isByLine = first !== undefined && (yield* Effect.option(parsed(first[1])))._tag === "Some"
    return isByLine || first === undefined
      ? lines.map(([number, text]) => ({ where: `${path}:${number}`, text }))
      : [{ where: path, text: new TextDecoder().decode(bytes) }]
  })

interface Run {
  readonly checked: CheckedTransactions
  readonly malformed: ReadonlyArray<string>
}

const withDocument = (run: Run, where: string, text: string) =>
  parsed(text).pipe(
    Effect.match({
      onFailure: reason => ({ ...run, malformed: [...run.malformed, `${where}: ${reason}`] }),
      onSuccess: json => {
        let { checked } = run
        const malformed = [...run.malformed]
        for (const one of readDocument(json)) {
          if (one._tag === "Transaction") checked = withChecked(checked, one, venues)
          else malformed.push(`${where}: ${one.reason}`)
        }
        return { checked, malformed }
      }
    })
  )

const program = (files: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (files.length === 0) {
      return yield* wrongUsage("solana:check", "at least one FILE is needed")
    }
    for (const path of files) yield* mustBeFile("the file of transactions", path)
    let run: Run = { checked: nothingChecked(solanaVenues), malformed: [] }
    for (const path of files) {
      const bytes = yield* path.endsWith(".gz") ? readGzip(path) : readBytes(path)
      for (const { where, text } of yield* documentsOf(path, bytes)) {
        run = yield* withDocument(run, where, text)
      }
    }
    const { checked, malformed } = run
    if (checked.transactions === 0) {
      const why = malformed[0] === undefined ? "" : ` (${malformed[0]})`
      return yield* new NoTransactions({ message: `there is no transaction in the files${why}` })
    }
    process.stdout.write(solanaReport(checked, solanaVenues, malformed))
    if (checked.bad.length > 0) process.exitCode = 1
  })

const main = Effect.gen(function* () {
  const { values, positionals } = yield* readArguments("solana:check", {
    options: { help: { type: "boolean" } },
    allowPositionals: true
  })
  if (values.help === true) process.stdout.write(`${HELP}\n`)
  else yield* program(positionals)
})

runMain(main.pipe(Effect.provide(loggerLayer(false))))
