/** Arbitrary events for property tests: every kind, every column, from a seed. */
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

const bigUint = (r: Random): bigint => {
  const bits = r.pick([0, 1, 8, 53, 64, 112, 128, 160, 255, 256])
  return bits === 0 ? 0n : BigInt.asUintN(bits, BigInt(hex(r, 32)))
}

const bigInt = (r: Random): bigint => {
  const value = BigInt.asIntN(256, BigInt(hex(r, 32)))
  return r.pick([0n, 1n, -1n, -256n, -(2n ** 255n), 2n ** 255n - 1n, value, value >> 128n])
}

const texts = ["", "USDC", "Wrapped Ether", "日本語", "🦄", '"quoted"\n', "a".repeat(300)]

const column = (r: Random, type: ColumnType, pool: ReadonlyArray<string>): unknown => {
  switch (type) {
    case "id":
      return r.pick([...pool, hex(r, 20), hex(r, 32)])
    case "idOpt":
      return r.pick([null, ...pool, hex(r, 20)])
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
      return r.pick([null, ...texts])
    case "bytes":
      return Uint8Array.from({ length: r.int(200) }, () => r.int(256))
  }
}

const kindNames = Object.keys(eventKinds) as ReadonlyArray<EventKind>

/** `count` events over a few blocks and transactions; the same for the same seed and run. */
export const randomEvents = (seed: string, run: number, count: number): ReadonlyArray<Event> => {
  const r = random(`${seed}/${run}`)
  const pool = Array.from({ length: 6 }, () => hex(r, 20))
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
        hash: r.pick([null, hex(r, 32)]),
        parentHash: r.pick([null, hex(r, 32)])
      }
      tx = null
    }
    if (r.int(3) === 0) {
      const from = r.pick([null, ...pool])
      tx = { hash: hex(r, 32), index: r.int(400), from, to: r.pick([null, ...pool]) }
    } else if (r.int(9) === 0) tx = null
    const kind = r.pick(kinds)
    const fields = Object.entries((eventKinds[kind] as KindSpec).columns).map(([name, type]) => [
      name,
      column(r, type, pool)
    ])
    return { kind, block, tx, logIndex: r.int(2000), ...Object.fromEntries(fields) } as Event
  })
}
