/** `npm run verify`: rebuilds every lane's tables from its log and compares their digests. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, Schema, Stream } from "effect"
import { logStream } from "../../engine/log/log-stream.ts"
import type { LogPosition } from "../../engine/log/segment.ts"
import { newFoldSet, signatureOf } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import type { Retention } from "../../engine/store/retention.ts"
import { type Commit, digests, lastCommit, openStore } from "../../engine/store/store.ts"
import { tablesOf } from "../../engine/store/tables-file.ts"
import { allProjections } from "../../projections/all.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { textOr } from "../platform/environment.ts"
import { exists, namesIn } from "../platform/files.ts"
import { JetStream } from "../platform/jetstream.ts"
import { findChain } from "./chain-choice.ts"
import { laneLog } from "./lane-log.ts"
import { loggerLayer } from "./logging.ts"
import { mustBeKnown } from "./lost-streams.ts"
import { openNats } from "./nats-choice.ts"
import { progressBar } from "./progress.ts"
import { knownChain } from "./proven-chain.ts"

const HELP = `Rebuilds every lane's tables from its log, in a folder beside, and compares digests.

  npm run verify -- [--data DIR] [--chain-file FILE]...

  --data DIR          the data folder (default DATA_DIR, else ./data); no engine may run on it
  --chain-file FILE   describes a chain the registry lacks

Exits 1 on any difference.`

/** The tables were made by another version or with other facts of the chain. */
class OtherFacts extends Schema.TaggedError<OtherFacts>()("OtherFacts", {
  message: Schema.String
}) {}

/** Returns the digests and the position of the tables as they stand. */
const present = (chain: ChainConfig, file: string) =>
  Effect.gen(function* () {
    const { tables } = newFoldSet(chain, allProjections)
    const signature = signatureOf(chain, allProjections)
    const store = yield* openStore(file, tables, { threads: 2, signature }).pipe(
      Effect.catchTag(
        "OutdatedTables",
        ({ found, wanted }) =>
          new OtherFacts({
            message:
              `the tables of ${chain.key} were made as ${found}, this would make ${wanted}: pass ` +
              "the --chain-file they were made with, or start the engine once, which makes them anew"
          })
      )
    )
    const { retention } = store
    const at = yield* lastCommit(store.writer)
    return { at, retention, digests: yield* digests(store.writer, tables) }
  }).pipe(Effect.scoped)

/** Folds the log up to a commit into a new file and returns its digests and position. */
const rebuilt = (chain: ChainConfig, file: string, to: Commit, retention: Retention) =>
  Effect.gen(function* () {
    const log = laneLog(yield* logStream(chain.key))
    const folds = newFoldSet(chain, allProjections)
    const store = yield* openStore(file, folds.tables, { threads: 4, retention })
    const read = (from: LogPosition) => log.read(from, { follow: false })
    const core = yield* loadCore(store, folds, read, log.joined)
    const bar = progressBar(`verify ${chain.key}`, to.seq)
    yield* log.read(core.committed, { follow: false }).pipe(
      Stream.takeWhile(segment => segment.header.lastSeq <= to.seq),
      Stream.runForEach(segment =>
        applySegment(core, segment).pipe(
          Effect.andThen(
            segment.header.lastSeq - core.committed.seq > 400_000
              ? commitPending(core)
              : Effect.void
          ),
          Effect.tap(() => Effect.sync(() => bar.at(segment.header.lastSeq)))
        )
      )
    )
    yield* commitPending(core)
    bar.end()
    return { at: core.committed, digests: yield* digests(store.writer, folds.tables) }
  }).pipe(Effect.scoped)

/**
 * Compares one lane's tables with a rebuild and prints the result. Returns true where position and
 * all digests agree, null where the log ends before the tables.
 */
const verifyLane = (chain: ChainConfig, file: string, folder: string) =>
  Effect.gen(function* () {
    const tables = yield* present(chain, file)
    const end = yield* laneLog(yield* logStream(chain.key)).end
    if (end.seq < tables.at.seq) {
      process.stdout.write(
        `not compared  ${chain.key}: the log ends at ${end.seq}, before the tables' ` +
          `${tables.at.seq}: it was cut, or its tail was lost. The next start, or replay, makes ` +
          "the tables again from the log; verify after that\n"
      )
      return null
    }
    const { at, retention } = tables
    const again = yield* rebuilt(chain, join(folder, `${chain.key}.duckdb`), at, retention)
    let agree = again.at.seq === tables.at.seq && again.at.hash === tables.at.hash
    if (!agree) {
      yield* Effect.logError(
        `${chain.key}: the tables stand at ${tables.at.seq}, the log gives ${again.at.seq}`
      )
    }
    for (const [place, table] of tables.digests.entries()) {
      const other = again.digests[place]
      const same = other?.digest === table.digest && other.rows === table.rows
      agree &&= same
      process.stdout.write(
        `${same ? "same" : "DIFFERENT"}  ${chain.key}  ${table.name}  ${table.rows} rows  ${table.digest}\n`
      )
    }
    return agree
  })

const program = (dataDir: string | undefined, chainFiles: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const wanted = resolve(dataDir ?? (yield* textOr("DATA_DIR", "./data")))
    if (!(yield* exists(wanted))) {
      return yield* wrongUsage("verify", `there is no data folder ${wanted}`)
    }
    const { url, folder: data } = yield* openNats(wanted)
    const names = yield* namesIn(join(data, "lanes"))
    const keys = names.filter(name => name.endsWith(".duckdb")).map(name => name.slice(0, -7))
    const beside = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "swaptape-verify-"))),
      path => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    if (keys.length === 0) process.stdout.write(`no lanes in ${data}: nothing to verify\n`)
    const found: Array<boolean | null> = []
    for (const key of keys) {
      const told = yield* findChain(key, chainFiles)
      const verified = Effect.gen(function* () {
        yield* mustBeKnown(data, key)
        const file = yield* tablesOf(join(data, "lanes", `${key}.duckdb`))
        return yield* verifyLane(yield* knownChain(told, data), file, beside)
      })
      found.push(yield* Effect.provide(verified, JetStream.layer({ url })))
    }
    const result = found.includes(false)
      ? "log and tables differ"
      : found.includes(null)
        ? "not verified: tables are ahead of their log"
        : "verified: log and tables agree"
    process.stdout.write(`${result}\n`)
    if (found.some(one => one !== true)) process.exitCode = 1
  })

export const verifyProgram = Effect.gen(function* () {
  const { values } = yield* readArguments("verify", {
    options: {
      help: { type: "boolean" },
      data: { type: "string" },
      "chain-file": { type: "string", multiple: true }
    }
  })
  if (values.help === true) process.stdout.write(`${HELP}\n`)
  else yield* program(values.data, values["chain-file"] ?? [])
}).pipe(Effect.scoped, Effect.provide(loggerLayer(false)))
