/**
 * What a devchain leaves in its data folder: `meta.json` (what chain this is and its last snapshot),
 * `state-<block>.json.gz` (Anvil's whole state at that block) and `journal-<block>.log` (the blocks
 * after it). A snapshot counts from the moment `meta.json` names it, so a crash leaves one or the other.
 */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { Effect, Schema } from "effect"
import { journalLine, readJournal } from "./block-journal.ts"
import type { BlockToPlan } from "./block-plan.ts"
import { DevchainError } from "./block-producer.ts"
import { trimState } from "./trim-state.ts"

/** Raise it when the same seed gives other contracts, tokens, pools or trades than before. */
export const DEVCHAIN_VERSION = 1

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

export interface DevchainStore {
  readonly folder: string
  /** nothing was here before */
  readonly isNew: boolean
  /** Unix seconds of block 0 */
  readonly genesisTimeSeconds: number
  /** the state to start Anvil from, unpacked with the blocks that still have their transactions */
  readonly loadState: Effect.Effect<string | undefined, DevchainError>
  /** frees the space of the unpacked state once Anvil has read it */
  readonly dropLoaded: Effect.Effect<void>
  /** the branch at the last snapshot */
  readonly branch: () => number
  /** the blocks mined since the last snapshot */
  readonly journal: Effect.Effect<ReadonlyArray<BlockToPlan>, DevchainError>
  readonly append: (block: BlockToPlan) => Effect.Effect<void, DevchainError>
  /** makes this gzipped state, of the head at `block`, the one to resume from */
  readonly snapshot: (
    block: number,
    branch: number,
    gzippedState: Buffer
  ) => Effect.Effect<void, DevchainError>
}

const decodeMeta = Schema.decodeUnknownSync(Schema.fromJsonString(Meta))

const attempt = <A>(message: string, work: () => A) =>
  Effect.try({ try: work, catch: cause => new DevchainError({ message, cause }) })

const writeWhole = (path: string, content: string | Buffer): void => {
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}

/** The folder's meta.json; null where there is none; an error where it is of another chain. */
const readMeta = Effect.fnUntraced(function* (path: string, version: number, seed: string) {
  const found = yield* attempt(`cannot read ${path}`, () => {
    const text = readIfThere(path)
    return text === null ? null : decodeMeta(text)
  })
  if (found === null || (found.version === version && found.seed === seed)) return found
  return yield* new DevchainError({
    message:
      `${path} is of another devchain (version ${found.version}, seed ${found.seed}), not of` +
      ` version ${version}, seed ${seed}: start with an empty data folder`
  })
})

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null
    throw error
  }
}

/**
 * Opens the folder of one chain, or begins it: then block 0 gets `genesisTimeSeconds`. `keepBlocks`
 * is how many of the newest blocks are worth loading. Fails where the folder holds another chain.
 */
export const openDevchainStore = Effect.fnUntraced(function* (options: {
  readonly folder: string
  readonly seed: string
  readonly genesisTimeSeconds: number
  readonly keepBlocks: number
}): Effect.fn.Return<DevchainStore, DevchainError> {
  const { folder, seed, genesisTimeSeconds } = options
  const path = (name: string) => join(folder, name)
  const statePath = (block: number) => path(`state-${block}.json.gz`)
  const journalPath = (block: number | null) => path(`journal-${block ?? 0}.log`)
  yield* attempt(`cannot create ${folder}`, () => mkdirSync(folder, { recursive: true }))
  const found = yield* readMeta(path("meta.json"), DEVCHAIN_VERSION, seed)
  const begun = { version: DEVCHAIN_VERSION, seed, genesisTimeSeconds, snapshot: null, branch: 0 }
  let meta: Meta = found ?? begun
  const saveMeta = () => writeWhole(path("meta.json"), `${JSON.stringify(meta, null, 2)}\n`)
  yield* attempt(`cannot write ${folder}`, saveMeta)

  const loadState = Effect.gen(function* () {
    const block = meta.snapshot
    if (block === null) return undefined
    const zipped = yield* attempt(`cannot read the state of block ${block}`, () =>
      readFileSync(statePath(block))
    )
    const json = yield* Effect.tryPromise({
      try: () => promisify(gunzip)(zipped),
      catch: cause => new DevchainError({ message: `${statePath(block)} is damaged`, cause })
    })
    yield* attempt("cannot write the state to load", () =>
      writeFileSync(path("load.json"), trimState(json, block - options.keepBlocks))
    )
    return path("load.json")
  })

  const snapshot = (block: number, branch: number, gzippedState: Buffer) =>
    attempt(`cannot write the state of block ${block}`, () => {
      writeWhole(statePath(block), gzippedState)
      rmSync(journalPath(block), { force: true })
      meta = { ...meta, snapshot: block, branch }
      saveMeta()
      const current = [statePath(block), journalPath(block)]
      for (const name of readdirSync(folder)) {
        const old = /^(state|journal)-\d+\./.test(name) && !current.includes(path(name))
        if (old) rmSync(path(name), { force: true })
      }
    })

  return {
    folder,
    isNew: found === null,
    genesisTimeSeconds: meta.genesisTimeSeconds,
    branch: () => meta.branch,
    loadState,
    dropLoaded: Effect.sync(() => rmSync(path("load.json"), { force: true })),
    journal: attempt("cannot read the journal", () =>
      readJournal(readIfThere(journalPath(meta.snapshot)) ?? "")
    ),
    append: block =>
      attempt("cannot write the journal", () =>
        appendFileSync(journalPath(meta.snapshot), journalLine(block))
      ),
    snapshot
  }
})
