/** Logs that are not what their first topic says, each with the reason to quarantine it. */
import type { Hex } from "viem"
import {
  type FakeLog,
  pairCreatedLog,
  poolCreatedLog,
  syncLog,
  v2SwapLog,
  v3SwapLog
} from "./fake-logs.ts"

const ACCOUNT: Hex = `0x${"77".repeat(20)}`
const TOKEN0: Hex = `0x${"01".repeat(20)}`
const TOKEN1: Hex = `0x${"02".repeat(20)}`
const POOL: Hex = `0x${"03".repeat(20)}`

/** An integer as a word, in two's complement, whatever its type's range is. */
const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, "0")

/** The log with one word of its data replaced. */
const withWord = (log: FakeLog, place: number, value: bigint): FakeLog => {
  const at = 2 + place * 64
  return { ...log, data: `${log.data.slice(0, at)}${word(value)}${log.data.slice(at + 64)}` as Hex }
}

const withTopic = (log: FakeLog, place: number, topic: Hex): FakeLog => ({
  ...log,
  topics: log.topics.with(place, topic)
})

interface Emitters {
  readonly pair: Hex
  readonly pool: Hex
  readonly v2Factory: Hex
  readonly v3Factory: Hex
}

/** One or more logs for every reason there is with V2 and V3. */
export const malformedLogs = ({ pair, pool, v2Factory, v3Factory }: Emitters) => {
  const swap2 = v2SwapLog(pair, ACCOUNT, ACCOUNT, [1n, 0n, 0n, 1n])
  const swap3 = v3SwapLog(pool, ACCOUNT, ACCOUNT, 1n, -1n, [2n ** 96n, 1n, 0])
  const created2 = pairCreatedLog(v2Factory, TOKEN0, TOKEN1, POOL)
  const created3 = poolCreatedLog(v3Factory, TOKEN0, TOKEN1, 500, 10, POOL)
  const dirty: Hex = `0x${"f".repeat(64)}`
  const by: { readonly [reason: string]: ReadonlyArray<FakeLog> } = {
    "wrong number of topics": [
      { ...swap2, topics: swap2.topics.slice(0, 2) },
      { ...swap3, topics: [...swap3.topics, dirty] },
      { ...syncLog(pair, 1n, 1n), topics: [...syncLog(pair, 1n, 1n).topics, dirty] }
    ],
    "wrong data length": [
      { ...swap2, data: "0x" },
      { ...swap2, data: swap2.data.slice(0, -2) as Hex },
      { ...swap3, data: `${swap3.data}00` },
      { ...swap3, data: `${swap3.data}${"00".repeat(1_000_000)}` }
    ],
    "address word with high bytes set": [
      withTopic(swap2, 2, dirty),
      withTopic(created2, 1, dirty),
      withWord(created2, 0, -1n)
    ],
    "uint112 out of range": [withWord(syncLog(pair, 1n, 1n), 0, 2n ** 112n)],
    "uint160 out of range": [withWord(swap3, 2, 2n ** 160n)],
    "uint128 out of range": [withWord(swap3, 3, 2n ** 256n - 1n)],
    "int24 out of range": [withWord(swap3, 4, 2n ** 23n), withWord(swap3, 4, -(2n ** 23n) - 1n)],
    "uint24 out of range": [withTopic(created3, 3, `0x${word(2n ** 24n)}`)]
  }
  return by
}

/** Valid logs with the largest values that their types hold. */
export const extremeLogs = ({ pair, pool }: Emitters): ReadonlyArray<FakeLog> => {
  const most = 2n ** 256n - 1n
  const state = [2n ** 160n - 1n, 2n ** 128n - 1n, 2 ** 23 - 1] as const
  const [least, largest] = [-(2n ** 255n), 2n ** 255n - 1n]
  return [
    syncLog(pair, 2n ** 112n - 1n, 2n ** 112n - 1n),
    v2SwapLog(pair, ACCOUNT, ACCOUNT, [most, 0n, 0n, most]),
    v2SwapLog(pair, ACCOUNT, ACCOUNT, [most, most, most, most]),
    v3SwapLog(pool, ACCOUNT, ACCOUNT, least, largest, state),
    v3SwapLog(pool, ACCOUNT, ACCOUNT, 0n, 0n, [0n, 0n, -(2 ** 23)]),
    v3SwapLog(pool, ACCOUNT, ACCOUNT, largest, least, state)
  ]
}
