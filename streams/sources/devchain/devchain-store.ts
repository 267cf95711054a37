/**
 * What a devchain leaves in its data folder: `meta.json` (which chain this is, its last snapshot),
 * `state-<block>.json.gz` (Anvil's whole state at that block) and `journal-<block>.log` (the blocks
 * after it). A snapshot counts from the moment `meta.json` names it, so a crash leaves one or the
 * other.
 */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import {
  appendText,
  exists,
  type FileError,
  makeFolder,
  namesIn,
  readGzip,
  readText,
  remove,
  replaceFile
} from "../../../src/platform/files.ts"
import { journalLine, readJournal } from "./block-journal.ts"
import type { BlockToPlan } from "./block-plan.ts"
import { DevchainError } from "./block-producer.ts"
import { trimState } from "./trim-state.ts"

/** Raise it when the same seed gives other contracts, tokens, pools or trades than before. */
const DEVCHAIN_VERSION = 3

const Meta = Schema.Struct({
  version: Schema.Int,
  seed: Schema.String,
  genesisTimeSeconds: Schema.Int,
  /** block of the last snapshot; null where the chain is still to be made from its seed */
  snapshot: Schema.NullOr(Schema.Int),
  /** how many forks the chain had been through by then */
  branch: Schema.Int
})
type Meta = typeof Meta.Type

export type StoreError = DevchainError | FileError

export interface DevchainStore {
  readonly folder: string
  /** nothing was here before */
  readonly isNew: boolean
  /** Unix seconds of block 0 */
  readonly genesisTimeSeconds: number
  /** the state to start Anvil from, unpacked with the blocks that still have their transactions */
  readonly loadState: Effect.Effect<string | undefined, StoreError>
  /** frees the space of the unpacked state once Anvil has read it */
  readonly dropLoaded: Effect.Effect<void, StoreError>
  /** the branch at the last snapshot */
  readonly branch: () => number
  /** the blocks mined since the last snapshot */
  readonly journal: Effect.Effect<ReadonlyArray<BlockToPlan>, StoreError>
  readonly append: (block: BlockToPlan) => Effect.Effect<void, StoreError>
  /** makes this gzipped state, of the head at `block`, the one to resume from */
  readonly snapshot: (
    block: number,
    branch: number,
    gzippedState: Uint8Array
  ) => Effect.Effect<void, StoreError>
}

/** What is wrong with a file of the folder, and what to do. */
const damaged = (what: string) =>
  new DevchainError({
    message: `${what}: put a copy of that file back, or start with an empty data folder`
  })

const decodeMeta = Schema.decodeUnknownEffect(Schema.fromJsonString(Meta))

/** The folder's meta.json; null where there is none; an error where it is of another chain. */
const readMeta = Effect.fnUntraced(function* (path: string, version: number, seed: string) {
  if (!(yield* exists(path))) return null
  const found = yield* readText(path).pipe(
    Effect.flatMap(decodeMeta),
    Effect.catchTag("SchemaError", cause => damaged(`${path} is damaged (${cause.message})`))
  )
  if (found.version === version && found.seed === seed) return found
  return yield* new DevchainError({
    message:
      `${path} is of another devchain (version ${found.version}, seed ${found.seed}), not of` +
      ` version ${version}, seed ${seed}: start with an empty data folder`
  })
})

/** Snapshots and journals that `meta.json` no longer names. */
const removeOld = Effect.fnUntraced(function* (folder: string, current: ReadonlyArray<string>) {
  for (const name of yield* namesIn(folder)) {
    const path = join(folder, name)
    if (/^(state|journal)-\d+\./.test(name) && !current.includes(path)) yield* remove(path)
  }
})

/**
 * Opens the folder of one chain, or begins it: then block 0 gets `genesisTimeSeconds`. `keepBlocks`
 * is how many of the newest blocks are worth loading. Fails where the folder holds another chain.
 */
export const openDevchainStore = Effect.fnUntraced(function* (options: {
  readonly folder: string
  readonly seed: string
  readonly genesisTimeSeconds: number
  readonly keepBlocks: number
}): Effect.fn.Return<DevchainStore, StoreError> {
  const { folder, seed, genesisTimeSeconds } = options
  const metaPath = join(folder, "meta.json")
  const loadPath = join(folder, "load.json")
  const statePath = (block: number) => join(folder, `state-${block}.json.gz`)
  const journalPath = (block: number | null) => join(folder, `journal-${block ?? 0}.log`)
  yield* makeFolder(folder)
  const found = yield* readMeta(metaPath, DEVCHAIN_VERSION, seed)
  const begun = { version: DEVCHAIN_VERSION, seed, genesisTimeSeconds, snapshot: null, branch: 0 }
  let meta: Meta = found ?? begun
  const saveMeta = (next: Meta) =>
    replaceFile(metaPath, `${JSON.stringify(next, null, 2)}\n`).pipe(
      Effect.andThen(Effect.sync(() => (meta = next)))
    )
  yield* saveMeta(meta)

  const loadState = Effect.gen(function* () {
    const block = meta.snapshot
    if (block === null) return undefined
    const json = yield* readGzip(statePath(block)).pipe(
      Effect.catchTag("FileError", ({ message }) => damaged(message))
    )
    yield* replaceFile(loadPath, trimState(json, block - options.keepBlocks))
    return loadPath
  })
  const journal = Effect.gen(function* () {
    const path = journalPath(meta.snapshot)
    const text = (yield* exists(path)) ? yield* readText(path) : ""
    const { blocks, isTorn, damagedLine } = readJournal(text)
    if (damagedLine !== null) return yield* damaged(`line ${damagedLine} of ${path} is damaged`)
    if (isTorn) {
      // the next line would be a part of it
      yield* replaceFile(path, text.slice(0, text.lastIndexOf("\n") + 1))
      yield* Effect.logWarning(
        `the simulated chain goes on after block ${blocks.at(-1)?.number ?? meta.snapshot ?? 0}: ` +
          `the line that follows in ${path} was cut short and is dropped`
      )
    }
    return blocks
  })
  const snapshot = Effect.fnUntraced(function* (block: number, branch: number, state: Uint8Array) {
    yield* replaceFile(statePath(block), state)
    // The snapshot covers what a journal of this number could hold.
    yield* remove(journalPath(block))
    yield* saveMeta({ ...meta, snapshot: block, branch })
    yield* removeOld(folder, [statePath(block), journalPath(block)])
  })

  return {
    folder,
    isNew: found === null,
    genesisTimeSeconds: meta.genesisTimeSeconds,
    branch: () => meta.branch,
    loadState,
    dropLoaded: remove(loadPath),
    journal,
    append: block => appendText(journalPath(meta.snapshot), journalLine(block)),
    snapshot
  }
})
