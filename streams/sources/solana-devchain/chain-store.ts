/**
 * What a simulated Solana keeps in its folder: `chain.json` (which chain this is), states of the
 * machine after blocks that no fork replaces (`state-<slot>.gz`, the newest two), and blocks
 * (`blocks-<first slot>.log`). It goes on from the newest state that is whole, and makes the blocks
 * after it again, which must be those that it told.
 */
import { createHash } from "node:crypto"
import { join } from "node:path"
import { getTransactionDecoder } from "@solana/kit"
import { Effect, Schema } from "effect"
import { lockDataFolder } from "../../../src/platform/data-lock.ts"
import {
  appendFlushed,
  exists,
  type FileError,
  namesIn,
  readGzip,
  readText,
  remove,
  replaceFile,
  replaceGzip
} from "../../../src/platform/files.ts"
import type { Bank, Made } from "./bank.ts"
import { chainOf, journalLine, type KeptBlock, readJournal } from "./chain-journal.ts"
import type { GenesisPlan } from "./genesis.ts"
import type { Programs } from "./programs.ts"

/** Raise it when the same seed begins another chain than before, or files are written otherwise. */
const VERSION = 2
/** Blocks from one state to the next: a start makes no more than these and some again. */
const STATE_EVERY = 250
const KEEP_STATES = 2
/** The newest blocks, which stay in the folder for readers. */
const KEEP_BLOCKS = 1_000

/** A folder's chain cannot be gone on with; the message says why, and what to do. */
class ChainUnusable extends Schema.TaggedError<ChainUnusable>()("ChainUnusable", {
  message: Schema.String
}) {}

const Chain = Schema.Struct({
  version: Schema.Int,
  seed: Schema.String,
  users: Schema.Int,
  pooled: Schema.Int,
  curves: Schema.Int,
  slotMs: Schema.Number,
  /** hash of the programs */
  programs: Schema.String,
  firstSlot: Schema.Int,
  /** Unix seconds of the first block */
  began: Schema.Int
})
type Chain = typeof Chain.Type

const decodeChain = Schema.decodeUnknownEffect(Schema.fromJsonString(Chain))

export interface ChainPlan extends GenesisPlan {
  readonly slotMs: number
}

/** When a chain began. */
export interface Beginning {
  readonly firstSlot: number
  readonly began: number
}

export interface ChainStore extends Beginning {
  /** Brings a bank that is at its first block to where the chain was. */
  readonly resume: (bank: Bank) => Effect.Effect<void, ChainUnusable | FileError>
  /** keeps a block that nobody has read yet */
  readonly append: (made: Made) => Effect.Effect<void, FileError>
  /** keeps a state now and then, and removes what is not needed any more */
  readonly tidy: (bank: Bank) => Effect.Effect<void, FileError>
}

const hashOfPrograms = (programs: Programs): string => {
  const hash = createHash("sha256")
  for (const [address, elf] of programs) hash.update(`${address} ${elf.length} `).update(elf)
  return hash.digest("hex")
}

/** Makes the error of a folder out of why its chain cannot go on, and what would let it. */
type Unusable = (why: string, cure: string) => ChainUnusable

const unusableIn =
  (folder: string, anew: string): Unusable =>
  (why, cure) =>
    new ChainUnusable({
      message: `the simulated Solana in ${folder} cannot go on: ${why}; ${cure}, or ${anew}`
    })

/** The folder's chain, or the one that begins there now. */
const openChain = Effect.fnUntraced(function* (folder: string, wanted: Chain, unusable: Unusable) {
  const path = join(folder, "chain.json")
  if (!(yield* exists(path))) {
    if ((yield* namesIn(folder)).some(name => KEPT.test(name)))
      return yield* unusable("chain.json is missing", "put it back")
    yield* replaceFile(path, `${JSON.stringify(wanted, null, 2)}\n`)
    return wanted
  }
  const found = yield* readText(path).pipe(
    Effect.flatMap(decodeChain),
    Effect.mapError(({ message }) =>
      unusable(`chain.json is unreadable (${message})`, "put it back")
    )
  )
  const { seed, users, pooled, curves, slotMs, version, programs } = found
  const same = { ...wanted, firstSlot: found.firstSlot, began: found.began }
  if (version !== VERSION || programs !== wanted.programs)
    return yield* unusable(
      "it began with other programs or by another version",
      "go on with those (SVM_PROGRAMS)"
    )
  if (JSON.stringify(same) === JSON.stringify({ ...same, seed, users, pooled, curves, slotMs }))
    return found
  return yield* unusable(`it is that of the seed ${seed}, or of another plan`, "use that")
})

const KEPT = /^(?<kind>state|blocks)-(?<slot>\d+)\.(?:gz|log)$/

/** The slots of a folder's files of a kind, the oldest first. */
const slotsOf = (names: ReadonlyArray<string>, kind: "state" | "blocks") =>
  names
    .flatMap(name => {
      const { groups } = KEPT.exec(name) ?? {}
      return groups?.["kind"] === kind ? [Number(groups["slot"])] : []
    })
    .sort((a, b) => a - b)

/** A file of blocks. */
interface Part {
  readonly firstSlot: number
  blocks: number
}

/** Makes a block again on the bank's head; returns whether it is the one that was told. */
const makeAgain = (bank: Bank, { block, wires }: KeptBlock): boolean => {
  for (const wire of wires) bank.send(getTransactionDecoder().decode(Buffer.from(wire, "base64")))
  const again = bank.produce(block.slot, block.blockTime)
  return JSON.stringify(again) === JSON.stringify(block)
}

class Folder implements ChainStore {
  readonly firstSlot: number
  readonly began: number
  private readonly folder: string
  private readonly unusable: Unusable
  private states: Array<number> = []
  private readonly parts: Array<Part> = []
  /** whether the next block begins a file */
  private isFull = true

  constructor(folder: string, { firstSlot, began }: Beginning, unusable: Unusable) {
    this.folder = folder
    this.unusable = unusable
    this.firstSlot = firstSlot
    this.began = began
  }

  private readonly statePath = (slot: number) => join(this.folder, `state-${slot}.gz`)
  private readonly partPath = (slot: number) => join(this.folder, `blocks-${slot}.log`)

  /**
   * Reads a file of blocks, and takes away what a kill left of one that was being written: of one
   * line at most, in the newest file.
   */
  private readonly readPart = (firstSlot: number, isNewest: boolean) =>
    Effect.gen({ self: this }, function* () {
      const path = this.partPath(firstSlot)
      const cure = "put a copy of that file back"
      const text = yield* readText(path)
      const { kept, whole, tornLines, damagedLine } = readJournal(text)
      if (damagedLine !== null)
        return yield* this.unusable(`line ${damagedLine} of ${path} is damaged`, cure)
      if (tornLines > (isNewest ? 1 : 0))
        return yield* this.unusable(
          `the last ${tornLines} lines of ${path} are damaged, and a kill leaves one such line in ` +
            "the newest file at most",
          cure
        )
      if (whole !== text) {
        const after = kept.at(-1)?.block.slot ?? firstSlot - 1
        yield* Effect.logWarning(
          `the simulated Solana goes on after slot ${after}: the block that follows in ${path} was ` +
            "cut short and is dropped; where more than this one is missing, readers see a fork"
        )
        yield* replaceFile(path, whole)
      }
      this.parts.push({ firstSlot, blocks: kept.length })
      return kept
    })

  /** The newest state that is whole, and where its block is in the chain; null where none is. */
  private readonly newestState = (chain: ReadonlyArray<KeptBlock>) =>
    Effect.gen({ self: this }, function* () {
      for (const slot of this.states.toReversed()) {
        const at = chain.findIndex(({ block }) => block.slot === slot)
        const state = yield* readGzip(this.statePath(slot)).pipe(
          Effect.catchTag("FileError", ({ message }) =>
            Effect.as(Effect.logWarning(`the simulated Solana goes on without ${message}`), null)
          )
        )
        if (at >= 0 && state !== null) return { at, state }
        // its file stays until another state is kept
        this.states = this.states.filter(one => one !== slot)
      }
      return null
    })

  readonly resume = (bank: Bank) =>
    Effect.gen({ self: this }, function* () {
      const names = yield* namesIn(this.folder)
      for (const name of names) if (name.endsWith(".new")) yield* remove(join(this.folder, name))
      this.states = slotsOf(names, "state")
      const firsts = slotsOf(names, "blocks")
      const kept = yield* Effect.forEach(firsts, first =>
        this.readPart(first, first === firsts.at(-1))
      )
      this.isFull = this.parts.length === 0
      const chain = chainOf(bank.head, kept.flat())
      const cure = "put a copy of its files back"
      if (typeof chain === "number")
        return yield* this.unusable(`blocks before slot ${chain} are missing`, cure)
      const newest = this.states.at(-1) ?? 0
      if (newest > (chain.at(-1)?.block.slot ?? 0))
        return yield* this.unusable(`blocks up to slot ${newest} are missing`, cure)
      const from = yield* this.newestState(chain)
      if (from === null && chain[0]?.block.blockhash !== bank.head.blockhash)
        return yield* this.unusable("none of its states can be read", cure)
      yield* this.goOn(bank, chain, from)
    })

  /** Brings a bank to the end of a chain, from a state or the first block. */
  private readonly goOn = (
    bank: Bank,
    chain: ReadonlyArray<KeptBlock>,
    from: { readonly at: number; readonly state: Uint8Array } | null
  ) =>
    Effect.gen({ self: this }, function* () {
      const at = from?.at ?? 0
      if (from !== null) {
        const { state } = from
        const blocks = chain.slice(0, at + 1).map(({ block }) => block)
        yield* Effect.try({
          try: () => bank.restore(blocks, state),
          catch: cause =>
            this.unusable(
              `the machine refuses its state (${String(cause)})`,
              "go back to the version that wrote it"
            )
        })
      }
      for (const one of chain.slice(at + 1)) {
        if (!makeAgain(bank, one))
          return yield* this.unusable(
            `the block of slot ${one.block.slot} is not made as it was`,
            "go back to the version that made it"
          )
      }
    })

  readonly append = (made: Made) => {
    if (this.isFull) this.parts.push({ firstSlot: made.block.slot, blocks: 0 })
    this.isFull = false
    const part = this.parts.at(-1) as Part
    part.blocks++
    return appendFlushed(this.partPath(part.firstSlot), journalLine(made))
  }

  readonly tidy = (bank: Bank) =>
    Effect.gen({ self: this }, function* () {
      if ((this.parts.at(-1)?.blocks ?? 0) < STATE_EVERY) return
      const { slot, state } = bank.settled
      if (slot !== this.states.at(-1)) {
        yield* replaceGzip(this.statePath(slot), state)
        this.states.push(slot)
      }
      this.isFull = true
      this.states = this.states.slice(-KEEP_STATES)
      for (const one of slotsOf(yield* namesIn(this.folder), "state"))
        if (!this.states.includes(one)) yield* remove(this.statePath(one))
      while (this.isFirstPartOld()) yield* remove(this.partPath(this.parts.shift()?.firstSlot ?? 0))
    })

  /** Whether the files after the oldest hold enough for readers, and all after the states. */
  private readonly isFirstPartOld = (): boolean => {
    const [, ...rest] = this.parts
    const oldest = this.states[0]
    if (rest[0] === undefined || oldest === undefined || rest[0].firstSlot > oldest) return false
    return rest.reduce((sum, { blocks }) => sum + blocks, 0) >= KEEP_BLOCKS
  }
}

/**
 * Opens a folder's chain for the length of the scope; one that begins there begins at `now`.
 *
 * @param anew what to do, in words, where it cannot go on and no copy of its files is there
 */
export const openChainStore = (
  at: string,
  { seed, users, pooled, curves, slotMs }: ChainPlan,
  programs: Programs,
  now: Beginning,
  anew: string
) =>
  Effect.gen(function* () {
    const folder = yield* lockDataFolder(at).pipe(
      Effect.mapError(error =>
        error._tag === "DataFolderInUse"
          ? new ChainUnusable({
              message: `the folder ${at} is in use by process ${error.pid}: stop it, or use another`
            })
          : error
      )
    )
    const plan = { version: VERSION, seed, users, pooled, curves, slotMs }
    const unusable = unusableIn(folder, anew)
    const wanted = { ...plan, programs: hashOfPrograms(programs), ...now }
    const chain = yield* openChain(folder, wanted, unusable)
    const store: ChainStore = new Folder(folder, chain, unusable)
    return store
  })
