/**
 * A snapshot of a chain's pools as bytes: parts, each behind its length of four bytes, and a
 * SHA-256 over them all at the end. The first part says what it is of, the second what the whole
 * book has, each of the others tells of some pools; so neither writing nor reading one holds a
 * thread up for long.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import { nextTurn } from "../../../src/platform/turn.ts"
import { bytesOf, valueIn } from "../../../src/platform/value-bytes.ts"
import type { LogPosition } from "../../log/segment.ts"
import type { BookImage, PoolImage } from "../pools/book-image.ts"
import { plainState, stateOfPlain } from "./plain-state.ts"

/** What a snapshot is of: another engine, or another description of the chain, has others. */
export interface SnapshotOwner {
  /** changes with everything that a fold is made of */
  readonly engine: string
  readonly chain: string
}

export interface Snapshot {
  readonly owner: SnapshotOwner
  /** where the image stands, and where the segments begin that a book remembers */
  readonly position: LogPosition
  readonly from: LogPosition
  readonly image: BookImage
}

/** Pools of a part: some milliseconds' work. */
const PART_POOLS = 256
const LENGTH_BYTES = 4
const HASH_BYTES = 32

const plainPool = (pool: PoolImage): PoolImage =>
  pool.known === null
    ? pool
    : { ...pool, known: { ...pool.known, state: plainState(pool.known.state) } }

const poolOfPlain = (pool: PoolImage): PoolImage =>
  pool.known === null
    ? pool
    : { ...pool, known: { ...pool.known, state: stateOfPlain(pool.known.state) } }

/** The parts as values. */
function* partsOf({ owner, position, from, image }: Snapshot): Generator<unknown> {
  const { pools, ...book } = image
  yield { owner, position, from }
  yield book
  for (let at = 0; at < pools.length; at += PART_POOLS) {
    yield pools.slice(at, at + PART_POOLS).map(plainPool)
  }
}

/** The bytes of a snapshot, one part after the other as they are asked for. */
export function* snapshotBytes(snapshot: Snapshot): Generator<Uint8Array> {
  const hash = createHash("sha256")
  for (const part of partsOf(snapshot)) {
    const content = bytesOf(part)
    const bytes = new Uint8Array(LENGTH_BYTES + content.length)
    new DataView(bytes.buffer).setUint32(0, content.length)
    bytes.set(content, LENGTH_BYTES)
    hash.update(bytes)
    yield bytes
  }
  yield hash.digest()
}

/** The parts in bytes, where their hash is right; null where it is not. */
const partsIn = (bytes: Uint8Array): ReadonlyArray<Uint8Array> | null => {
  const end = bytes.length - HASH_BYTES
  if (end < 0) return null
  const hash = createHash("sha256").update(bytes.subarray(0, end)).digest()
  if (!hash.equals(bytes.subarray(end))) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, end)
  const parts: Array<Uint8Array> = []
  for (let at = 0; at < end; ) {
    const to = at + LENGTH_BYTES + view.getUint32(at)
    parts.push(bytes.subarray(at + LENGTH_BYTES, to))
    at = to
  }
  return parts
}

/** The snapshot in bytes, a part a turn; what is none of a snapshot's form may throw. */
const readParts = (bytes: Uint8Array, owner: SnapshotOwner): Effect.Effect<Snapshot, string> =>
  Effect.gen(function* () {
    const [first, second, ...others] = partsIn(bytes) ?? []
    if (first === undefined || second === undefined) return yield* Effect.fail("it is damaged")
    const head = (yield* Effect.fromResult(valueIn(first))) as Omit<Snapshot, "image">
    if (head.owner?.engine !== owner.engine) return yield* Effect.fail("another engine wrote it")
    if (head.owner.chain !== owner.chain) {
      return yield* Effect.fail("the chain was described otherwise")
    }
    const book = (yield* Effect.fromResult(valueIn(second))) as Omit<BookImage, "pools">
    const pools: Array<PoolImage> = []
    for (const part of others) {
      yield* nextTurn
      const some = (yield* Effect.fromResult(valueIn(part))) as ReadonlyArray<PoolImage>
      for (const pool of some) pools.push(poolOfPlain(pool))
    }
    return { ...head, image: { ...book, pools } }
  })

/**
 * The snapshot in bytes; the failure says why it is none for this owner. What has the right hash
 * and owner was written by this code, so it is not looked at further.
 */
export const snapshotIn = (
  bytes: Uint8Array,
  owner: SnapshotOwner
): Effect.Effect<Snapshot, string> =>
  Effect.catchDefect(readParts(bytes, owner), () => Effect.fail("it is no snapshot"))
