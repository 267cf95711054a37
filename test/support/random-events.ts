/** Arbitrary events for property tests: every kind, every column, from a seed. */
import { toBase58 } from "../../src/domain/base58.ts"
import {
  type BlockRef,
  type ColumnType,
  type Event,
  type EventKind,
  eventKinds,
  type KindSpec,
  type TxRef
} from "../../streams/event.ts"
import { random } from "./random.ts"

type Random = ReturnType<typeof random>

const hex = (r: Random, bytes: number): string =>
  `0x${Array.from({ length: bytes }, () => r.int(256).toString(16).padStart(2, "0")).join("")}`

/** Random identities as a family of chains writes them. */
interface Texts {
  readonly account: (r: Random) => string
  readonly hash: (r: Random) => string
  readonly tx: (r: Random) => string
}

const hexTexts: Texts = {
  account: r => hex(r, 20),
  hash: r => hex(r, 32),
  tx: r => hex(r, 32)
}

const base58 = (r: Random, bytes: number): string =>
  toBase58(Uint8Array.from({ length: bytes }, () => r.int(256)))

/** Texts of Solana. */
export const base58Texts: Texts = {
  account: r => base58(r, 32),
  hash: r => base58(r, 32),
  tx: r => base58(r, 64)
}

const bigUint = (r: Random): bigint => {
  const bits = r.pick([0, 1, 8, 53, 64, 112, 128, 160, 255, 256])
  return bits === 0 ? 0n : BigInt.asUintN(bits, BigInt(hex(r, 32)))
}

const bigInt = (r: Random): bigint => {
  const value = BigInt.asIntN(256, BigInt(hex(r, 32)))
  return r.pick([0n, 1n, -1n, -256n, -(2n ** 255n), 2n ** 255n - 1n, value, value >> 128n])
}

const words = ["", "USDC", "Wrapped Ether", "日本語", "🦄", '"quoted"\n', "a".repeat(300)]

const column = (
  r: Random,
  texts: Texts,
  type: ColumnType,
  pool: ReadonlyArray<string>
): unknown => {
  switch (type) {
    case "id":
      return r.pick([...pool, texts.account(r), texts.hash(r)])
    case "idOpt":
      return r.pick([null, ...pool, texts.account(r)])
    case "ids":
      return Array.from({ length: r.int(5) }, () => r.pick(pool))
    case "uint":
      return bigUint(r)
    case "uintOpt":
      return r.pick([null, bigUint(r)])
    case "int":
      return bigInt(r)
    case "intOpt":
      return r.pick([null, bigInt(r)])
    case "i32Opt":
      return r.pick([null, 0, 1, -1, 887272, -887272, 2 ** 31 - 1, -(2 ** 31) + 1, r.int(1000)])
    case "num":
      return r.pick([0, 1, 2 ** 53 - 1, r.int(2 ** 31)])
    case "sym":
      return r.pick(["uniswap-v2", "uniswap-v3", "reorg", ""])
    case "textOpt":
      return r.pick([null, ...words])
    case "bytes":
      return Uint8Array.from({ length: r.int(200) }, () => r.int(256))
  }
}

const kindNames = Object.keys(eventKinds) as ReadonlyArray<EventKind>

/** `count` events over a few blocks and transactions; the same for the same seed and run. */
export const randomEvents = (
  seed: string,
  run: number,
  count: number,
  texts: Texts = hexTexts
): ReadonlyArray<Event> => {
  const r = random(`${seed}/${run}`)
  const pool = Array.from({ length: 6 }, () => texts.account(r))
  const kinds = run % 3 === 0 ? kindNames : (["SwapExecuted", "ReservesSynced"] as const)
  let block: BlockRef = {
    number: r.int(2 ** 40),
    time: r.int(2 ** 32),
    hash: null,
    parentHash: null
  }
  let tx: TxRef | null = null
  return Array.from({ length: count }, () => {
    if (r.int(4) === 0) {
      block = {
        number: block.number + r.int(3),
        time: block.time + r.int(30),
        hash: r.pick([null, texts.hash(r)]),
        parentHash: r.pick([null, texts.hash(r)])
      }
      tx = null
    }
    if (r.int(3) === 0) {
      const from = r.pick([null, ...pool])
      tx = { hash: texts.tx(r), index: r.int(400), from, to: r.pick([null, ...pool]) }
    } else if (r.int(9) === 0) tx = null
    const kind = r.pick(kinds)
    const fields = Object.entries((eventKinds[kind] as KindSpec).columns).map(([name, type]) => [
      name,
      column(r, texts, type, pool)
    ])
    return { kind, block, tx, logIndex: r.int(2000), ...Object.fromEntries(fields) } as Event
  })
}
