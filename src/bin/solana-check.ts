/** `npm run solana:check`: decodes Solana's transactions and checks them with the vaults. */
import { Effect, Schema } from "effect"
import {
  type CheckedTransactions,
  nothingChecked,
  withBlock,
  withChecked
} from "../../streams/solana/checked-transactions.ts"
import { ProgramNames } from "../../streams/solana/transaction/program-names.ts"
import { solanaVenues, venuesByProgram as venues } from "../../streams/solana/venues.ts"
import {
  forEachDocument,
  type SolanaDocument
} from "../../streams/sources/solana-file/solana-documents.ts"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { runMain } from "../platform/environment.ts"
import { mustBeFile } from "../platform/files.ts"
import { isRpcUrl } from "../platform/rpc.ts"
import { loggerLayer } from "./logging.ts"
import { checkRpc, type RpcCheck } from "./solana-check-rpc.ts"
import { solanaReport } from "./solana-report.ts"

const HELP = `Decodes swaps of Solana's transactions, and holds each against its pool's vaults.

  npm run solana:check -- FILE...
  npm run solana:check -- --rpc URL[,URL...] [--from SLOT [--to SLOT]]

  FILE                answers of getTransaction or getBlock as JSON, or one a line; .gz is unpacked
  --rpc URL[,URL...]  nodes that are asked, http or https; ws or wss ones push when a slot begins
  --from SLOT         the first slot; what lies before the head is read beside it, newest first
  --to SLOT           the last slot; without it the head is followed until Ctrl-C

Prints what was found of each venue, of a chain every ten seconds. Exits 1 where a swap is bad: the
vaults hold something else than its event says; and where slots could not be read.`

/** The files hold no transaction. */
class NoTransactions extends Schema.TaggedError<NoTransactions>()("NoTransactions", {
  message: Schema.String
}) {}

const names = new ProgramNames(venues.keys())

interface Run {
  readonly checked: CheckedTransactions
  readonly malformed: ReadonlyArray<string>
}

const withDocument = (run: Run, document: SolanaDocument, where: string): Run => {
  if (document._tag === "NoDocument")
    return { ...run, malformed: [...run.malformed, `${where}: ${document.reason}`] }
  const malformed = document.transactions.flatMap(one =>
    one._tag === "Transaction" ? [] : [`${where}: ${one.reason}`]
  )
  const checked =
    document._tag === "AnsweredBlock"
      ? withBlock(run.checked, document, venues)
      : document.transactions.reduce(
          (so, one) => (one._tag === "Transaction" ? withChecked(so, one, venues) : so),
          run.checked
        )
  return { checked, malformed: [...run.malformed, ...malformed] }
}

const checkFiles = (files: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (files.length === 0) {
      return yield* wrongUsage("solana:check", "at least one FILE is needed, or --rpc")
    }
    for (const path of files) yield* mustBeFile("the file of transactions", path)
    let run: Run = { checked: nothingChecked(solanaVenues), malformed: [] }
    for (const path of files) {
      yield* forEachDocument(path, names, (document, where) => {
        run = withDocument(run, document, where)
      })
    }
    const { checked, malformed } = run
    if (checked.transactions === 0) {
      const why = malformed[0] === undefined ? "" : ` (${malformed[0]})`
      return yield* new NoTransactions({ message: `there is no transaction in the files${why}` })
    }
    process.stdout.write(solanaReport(checked, solanaVenues, malformed))
    if (checked.bad.length > 0) process.exitCode = 1
  })

const slotFrom = (option: string, text: string | undefined) => {
  if (text === undefined) return Effect.succeed(null)
  const slot = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(slot)
    ? Effect.succeed(slot)
    : Effect.fail(wrongUsage("solana:check", `--${option} ${text} is no slot`))
}

interface Options {
  readonly rpc?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const rpcCheckOf = (options: Options, rpc: string, files: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const refused = (problem: string) => wrongUsage("solana:check", problem)
    const endpoints = rpc.split(",").map(url => url.trim())
    const bad = endpoints.findIndex(url => !isRpcUrl(url))
    if (bad >= 0) return yield* refused(`part ${bad + 1} of --rpc is no http or ws URL`)
    if (files.length > 0) return yield* refused("FILE and --rpc are two ways")
    const from = yield* slotFrom("from", options.from)
    const to = yield* slotFrom("to", options.to)
    if (to !== null && (from === null || from > to))
      return yield* refused("--to needs a --from that is not after it")
    return { endpoints, from, to } satisfies RpcCheck
  })

const main = Effect.gen(function* () {
  const { values, positionals } = yield* readArguments("solana:check", {
    options: {
      help: { type: "boolean" },
      rpc: { type: "string" },
      from: { type: "string" },
      to: { type: "string" }
    },
    allowPositionals: true
  })
  if (values.help === true) process.stdout.write(`${HELP}\n`)
  else if (values.rpc === undefined) yield* checkFiles(positionals)
  else if (!(yield* checkRpc(yield* rpcCheckOf(values, values.rpc, positionals))))
    process.exitCode = 1
})

runMain(main.pipe(Effect.provide(loggerLayer(false))))
