/**
 * Frames as MessagePack, about half as long as their JSON. The names of fields are replaced by
 * their codes in a list that `hello` tells, and hex text by its bytes; all else is as in JSON. A
 * name that is not in the list stands for itself behind `=`.
 */
import { encode } from "@msgpack/msgpack"
import { onceAsked } from "../once-asked.ts"
import { frameSchemas } from "./frame-schemas.ts"
import type { LiveBody } from "./reader.ts"

const namesIn = (schema: unknown): ReadonlyArray<string> => {
  if (typeof schema !== "object" || schema === null) return []
  return Object.entries(schema).flatMap(([word, value]) =>
    word === "properties" ? [...Object.keys(value), ...namesIn(value)] : namesIn(value)
  )
}

/** Names of fields in the order of their codes; most stand in trades, which come most often. */
export const packedNames = onceAsked((): ReadonlyArray<string> => {
  const { own, shared } = frameSchemas()
  return [...new Set([own["trade"], shared["SwapRow"], own, shared].flatMap(namesIn))]
})

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/** The code of a name: its place in the list, in digits of 62. */
const codeOf = (place: number): string => {
  const last = DIGITS[place % DIGITS.length] ?? ""
  const before = Math.floor(place / DIGITS.length)
  return before === 0 ? last : `${codeOf(before)}${last}`
}

const codes = onceAsked(
  (): ReadonlyMap<string, string> =>
    new Map(packedNames().map((name, place) => [name, codeOf(place)]))
)

const HEX = /^0x(?:[0-9a-f]{2})+$/

const packed = (value: unknown): unknown => {
  if (typeof value === "string") return HEX.test(value) ? Buffer.from(value.slice(2), "hex") : value
  if (Array.isArray(value)) return value.map(packed)
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).filter(([, of]) => of !== undefined)
  return Object.fromEntries(
    fields.map(([name, of]) => [codes().get(name) ?? `=${name}`, packed(of)])
  )
}

export const packValue = (frame: object): Uint8Array => encode(packed(frame))

const made = new WeakMap<LiveBody, Uint8Array>()

/** A frame of a topic, packed once for all its readers. */
export const packFrame = (frame: LiveBody): Uint8Array => {
  const known = made.get(frame)
  if (known !== undefined) return known
  const bytes = encode(packed(JSON.parse(frame.body)))
  made.set(frame, bytes)
  return bytes
}
