/** Logs made from an event's ABI: arguments by chance, encoded by viem. */
import {
  type AbiEvent,
  type AbiParameter,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  pad,
  parseAbiItem,
  toEventSelector
} from "viem"
import type { EventArg, EventArgs } from "../../streams/venue-laws.ts"
import type { HexLog } from "./raw-logs.ts"
import type { Random } from "./seed.ts"

/** Logs are made by the ten thousand: each event is parsed, and its name hashed, once. */
const parsed = new Map<string, AbiEvent>()
export const abiEvent = (abi: string): AbiEvent => {
  const event = parsed.get(abi) ?? (parseAbiItem(abi) as AbiEvent)
  parsed.set(abi, event)
  return event
}

const selectors = new WeakMap<AbiEvent, Hex>()
const selectorOf = (event: AbiEvent): Hex => {
  const selector = selectors.get(event) ?? toEventSelector(event)
  selectors.set(event, selector)
  return selector
}

/** Values that a topic holds as they are; of others it holds a hash. */
const isWord = ({ type }: AbiParameter): boolean => /^(u?int|address|bool|bytes\d)\w*$/.test(type)

const topicsOf = (event: AbiEvent, args: EventArgs): ReadonlyArray<Hex> => {
  const indexed = event.inputs.filter(input => input.indexed === true)
  if (!indexed.every(isWord)) return encodeEventTopics({ abi: [event], args }) as Array<Hex>
  const word = (input: AbiParameter) => encodeAbiParameters([input], [args[input.name as string]])
  return [selectorOf(event), ...indexed.map(word)]
}

const randomHex = (random: Random, bytes: number): Hex =>
  pad(`0x${random.bits(bytes * 8).toString(16)}`, { size: bytes })

/** Small, large and extreme values of every width, in equal parts. */
const randomValue = (random: Random, parameter: AbiParameter): EventArg => {
  const { type } = parameter
  const [, inner, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (inner !== undefined) {
    const count = length === "" ? random.integer(0, 5) : Number(length)
    const element = { ...parameter, type: inner }
    return Array.from({ length: count }, () => randomValue(random, element))
  }
  if ("components" in parameter)
    return Object.fromEntries(
      parameter.components.map(part => [part.name as string, randomValue(random, part)])
    )
  if (type === "bool") return random.boolean()
  if (type === "bytes") return randomHex(random, random.integer(1, 80))
  const [, fixed] = /^bytes(\d+)$/.exec(type) ?? []
  if (fixed !== undefined) return randomHex(random, Number(fixed))
  if (type === "address") return randomHex(random, 20)
  const [, unsigned, digits] = /^(u?)int(\d+)$/.exec(type) ?? []
  if (digits === undefined) throw new Error(`no random value of ABI type ${type}`)
  const size = Number(digits)
  const bits = unsigned === "u" ? size : size - 1
  const top = (1n << BigInt(bits)) - 1n
  const magnitude = random.pick([
    0n,
    1n,
    top,
    random.bits(bits),
    random.bits(random.integer(1, bits))
  ])
  const value = unsigned === "" && random.boolean() ? -magnitude - 1n : magnitude
  return size <= 48 ? Number(value) : value
}

/** Arguments of the event, every one within its type. */
export const randomArgs = (random: Random, event: AbiEvent): EventArgs =>
  Object.fromEntries(event.inputs.map(input => [input.name as string, randomValue(random, input)]))

/** The log that a contract emits for these arguments; throws where one leaves its type. */
export const encodeLog = (event: AbiEvent, args: EventArgs, address: string): HexLog => {
  const plain = event.inputs.filter(input => input.indexed !== true)
  return {
    address,
    topics: topicsOf(event, args),
    data: encodeAbiParameters(
      plain,
      plain.map(input => args[input.name as string])
    )
  }
}

/** The log encoded anew from what it says; null where what it says leaves its types. */
export const reencodeLog = (event: AbiEvent, args: EventArgs, address: string): HexLog | null => {
  try {
    return encodeLog(event, args, address)
  } catch {
    return null
  }
}

/** A log near the given one: cut, lengthened, with other bytes, or with more or fewer topics. */
export const damaged = (random: Random, { address, topics, data }: HexLog): HexLog => {
  const bytes = Buffer.from(data.slice(2), "hex")
  const words = topics.map(topic => Buffer.from(topic.slice(2), "hex"))
  const hexLog = (rest: Uint8Array): HexLog => ({
    address,
    topics: words.map(word => `0x${word.toString("hex")}`),
    data: `0x${Buffer.from(rest).toString("hex")}`
  })
  const flip = (target: Buffer): void => {
    if (target.length > 0) target[random.integer(0, target.length - 1)] = random.integer(0, 255)
  }
  switch (random.integer(0, 5)) {
    case 0:
      return hexLog(bytes.subarray(0, random.integer(0, bytes.length)))
    case 1:
      return hexLog(
        Buffer.concat([bytes, Buffer.alloc(random.integer(1, 70), random.integer(0, 1))])
      )
    case 2:
      words.splice(random.integer(1, words.length), 1)
      return hexLog(bytes)
    case 3:
      if (words.length < 4) words.push(Buffer.from(randomHex(random, 32).slice(2), "hex"))
      return hexLog(bytes)
    case 4:
      for (let i = random.integer(1, 4); i > 0; i--) flip(bytes)
      for (const word of words.slice(1)) if (random.boolean()) flip(word)
      return hexLog(bytes)
    default:
      for (let i = 0; i < bytes.length; i++) bytes[i] = random.integer(0, 255)
      return hexLog(bytes)
  }
}
