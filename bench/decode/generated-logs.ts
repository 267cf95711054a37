/** Logs of a venue kind made from its events' ABI, where there are no real ones to decode. */
import type { AbiParameter } from "viem"
import { fromHex } from "../../src/domain/address.ts"
import { BatchBuilder } from "../../streams/batch/builder.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { newRawLog, type RawLog } from "../../streams/evm/raw-log.ts"
import { type Random, seededRandom } from "../../streams/sources/devchain/random.ts"
import type { EventDecoder } from "../../streams/venue.ts"
import type { EventArg, EventArgs } from "../../streams/venue-laws.ts"
import { abiEvent, encodeLog } from "../../test/support/abi-logs.ts"
import { randomHex } from "../generate/market.ts"

/** How many accounts, pools and tokens the logs name. */
const ADDRESSES = 500
/** Bits of amounts: up to a million units of 18 decimals. */
const AMOUNT_BITS = 80
const TRIES = 1000

interface Names {
  readonly random: Random
  readonly addresses: ReadonlyArray<string>
  readonly hashes: ReadonlyArray<string>
  /** elements of every list of one log: most events tell as many of one thing as of another */
  length: number
  /** whether what comes in is token X, in the low half of a word of two amounts */
  isXIn: boolean
}

const bitsOf = (random: Random, most: number): bigint => {
  const bits = random.between(1, most)
  let value = 0n
  for (let filled = 0; filled < bits; filled += 16)
    value = (value << 16n) | BigInt(random.between(0, 65_535))
  return BigInt.asUintN(bits, value)
}

const word = (value: bigint): string => value.toString(16).padStart(32, "0")

const integer = ({ random }: Names, type: string): EventArg => {
  const size = Number(type.replace(/^u?int/, ""))
  const isSigned = type.startsWith("i")
  const magnitude = bitsOf(random, Math.min(isSigned ? size - 1 : size, AMOUNT_BITS))
  const value = isSigned && random.chance(0.5) ? -magnitude : magnitude
  return size <= 48 ? Number(value) : value
}

/** Amounts of X and Y in one word: what comes in, and its fee, is of one of them only. */
const twoAmounts = ({ random, isXIn }: Names, name: string): string => {
  const [x, y] = [bitsOf(random, AMOUNT_BITS), bitsOf(random, AMOUNT_BITS)]
  if (name === "amounts") return `0x${word(y)}${word(x)}`
  return isXIn === /Out/.test(name) ? `0x${word(y)}${word(0n)}` : `0x${word(0n)}${word(x)}`
}

const argument = (names: Names, parameter: AbiParameter): EventArg => {
  const { random, addresses, hashes } = names
  const { type, name = "" } = parameter
  const [, inner, fixed] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (inner !== undefined) {
    const length = fixed === "" ? names.length : Number(fixed)
    return Array.from({ length }, () => argument(names, { ...parameter, type: inner }))
  }
  if ("components" in parameter) {
    const parts = parameter.components
    return Object.fromEntries(parts.map(part => [part.name as string, argument(names, part)]))
  }
  const pick = (from: ReadonlyArray<string>) => from[random.between(0, from.length - 1)] as string
  if (type === "address") return pick(addresses)
  if (type === "bool") return random.chance(0.5)
  if (type === "bytes") return `0x${randomHex(random, random.between(1, 64))}`
  if (type !== "bytes32") {
    // places of coins, which are few
    return /^u?int(128|256)$/.test(type) && /(^|_)id$/.test(name)
      ? BigInt(random.between(0, 3))
      : integer(names, type)
  }
  return /amount|fee/i.test(name) ? twoAmounts(names, name) : pick(hashes)
}

const emitted = (event: EventDecoder, names: Names): RawLog => {
  names.length = names.random.between(2, 4)
  names.isXIn = names.random.chance(0.5)
  const abi = abiEvent(event.abi)
  const args: EventArgs = Object.fromEntries(
    abi.inputs.map(input => [input.name as string, argument(names, input)])
  )
  const emitter = names.addresses[names.random.between(0, ADDRESSES - 1)] as string
  const { topics, data } = encodeLog(abi, args, emitter)
  const raw = newRawLog()
  raw.address.set(fromHex(emitter))
  raw.topicCount = topics.length
  for (const [i, topic] of topics.entries()) raw.topics.set(fromHex(topic), i * 32)
  raw.data = fromHex(data)
  raw.dataLength = raw.data.length
  return raw
}

/** Chance makes arguments that no contract of the kind logs: then again. */
const soundLog = (event: EventDecoder, names: Names): RawLog => {
  for (let i = 0; i < TRIES; i++) {
    const log = emitted(event, names)
    const out = new BatchBuilder()
    out.openBlock(1, 1, NONE, NONE)
    if (event.decode(log, out) === null) return log
  }
  throw new Error(`no sound log of ${event.abi}`)
}

/** So many logs: the first event's in every other one, the rest in equal parts. */
export const generatedLogs = (
  name: string,
  events: ReadonlyArray<EventDecoder>,
  count: number
): ReadonlyArray<readonly [RawLog, EventDecoder]> => {
  const random = seededRandom("swaptape", `decode ${name}`)
  const some = (bytes: number) =>
    Array.from({ length: ADDRESSES }, () => `0x${randomHex(random, bytes)}`)
  const names: Names = { random, addresses: some(20), hashes: some(32), length: 2, isXIn: true }
  const [first, ...others] = events as [EventDecoder, ...ReadonlyArray<EventDecoder>]
  return Array.from({ length: count }, (_, i) => {
    const event = i % 2 === 0 ? first : (others[(i >> 1) % (others.length || 1)] ?? first)
    return [soundLog(event, names), event]
  })
}
