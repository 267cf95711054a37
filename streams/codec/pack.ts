/**
 * Packed columns of unsigned 32-bit integers: the smallest of three forms is written. `plain`
 * stores value - min, `delta` stores zigzag(value - previous) - min, both at the fewest bits that
 * hold them all (0 bits for a constant column); above 24 bits whole 32-bit words are written.
 */
import { type ByteReader, MalformedSegment } from "./byte-reader.ts"
import type { ByteWriter } from "./byte-writer.ts"

const DELTA = 0x40

const bitsFor = (range: number): number => (range === 0 ? 0 : 32 - Math.clz32(range))

const zigzag = (n: number): number => (n < 0 ? -2 * n - 1 : 2 * n)
const unzigzag = (n: number): number => (n % 2 === 0 ? n / 2 : -(n + 1) / 2)

interface Shape {
  readonly min: number
  readonly bits: number
}

const plainShape = (values: ArrayLike<number>, n: number): Shape => {
  let min = 0xffffffff
  let max = 0
  for (let i = 0; i < n; i++) {
    const value = values[i] as number
    if (value < min) min = value
    if (value > max) max = value
  }
  return { min, bits: bitsFor(max - min) }
}

/** Null where some difference needs more than 24 bits. */
const deltaShape = (values: ArrayLike<number>, n: number): Shape | null => {
  let min = 0xffffffff
  let max = 0
  for (let i = 1; i < n; i++) {
    const value = zigzag((values[i] as number) - (values[i - 1] as number))
    if (value < min) min = value
    if (value > max) max = value
  }
  return max > 0xffffff ? null : { min: n > 1 ? min : 0, bits: n > 1 ? bitsFor(max - min) : 0 }
}

const writeBits = (
  out: ByteWriter,
  values: ArrayLike<number>,
  n: number,
  shape: Shape,
  delta: boolean
): void => {
  const { min, bits } = shape
  out.reserve(((n * bits) >> 3) + 8)
  const bytes = out.bytes
  let at = out.length
  let acc = 0
  let held = 0
  for (let i = delta ? 1 : 0; i < n; i++) {
    const raw = values[i] as number
    const value = (delta ? zigzag(raw - (values[i - 1] as number)) : raw) - min
    acc |= value << held
    held += bits
    while (held >= 8) {
      bytes[at++] = acc & 0xff
      acc >>>= 8
      held -= 8
    }
  }
  if (held > 0) bytes[at++] = acc & 0xff
  out.length = at
}

/** Writes `n` values of 0..2^32-1. */
export const packUints = (out: ByteWriter, values: ArrayLike<number>, n: number): void => {
  if (n === 0) return
  const plain = plainShape(values, n)
  const delta = plain.bits > 1 ? deltaShape(values, n) : null
  if (delta !== null && delta.bits + 1 < plain.bits) {
    out.u8(delta.bits | DELTA)
    out.varint(values[0] as number)
    out.varint(delta.min)
    if (delta.bits > 0) writeBits(out, values, n, delta, true)
    return
  }
  if (plain.bits > 24) {
    out.u8(32)
    out.reserve(n * 4)
    for (let i = 0; i < n; i++) out.u32(values[i] as number)
    return
  }
  out.u8(plain.bits)
  out.varint(plain.min)
  if (plain.bits > 0) writeBits(out, values, n, plain, false)
}

const readDelta = (input: ByteReader, n: number, bits: number): Uint32Array => {
  const values = new Uint32Array(n)
  let previous = input.varint()
  const min = input.varint()
  values[0] = previous
  if (bits === 0) {
    const step = unzigzag(min)
    for (let i = 1; i < n; i++) values[i] = previous += step
    return values
  }
  let at = input.take(((n - 1) * bits + 7) >> 3)
  const bytes = input.bytes
  const mask = 2 ** bits - 1
  let acc = 0
  let held = 0
  for (let i = 1; i < n; i++) {
    while (held < bits) {
      acc |= (bytes[at++] as number) << held
      held += 8
    }
    const code = (acc & mask) + min
    previous += code & 1 ? -((code + 1) >>> 1) : code >>> 1
    values[i] = previous
    acc >>>= bits
    held -= bits
  }
  return values
}

/** Reads what `packUints` wrote. */
export const unpackUints = (input: ByteReader, n: number): Uint32Array => {
  if (n === 0) return new Uint32Array(0)
  const form = input.u8()
  const bits = form & 0x3f
  if (bits > 24 && form !== 32) throw new MalformedSegment(`unknown column form ${form}`)
  if (form & DELTA) return readDelta(input, n, bits)
  if (bits === 32) {
    const values = new Uint32Array(n)
    for (let i = 0; i < n; i++) values[i] = input.u32()
    return values
  }
  const min = input.varint()
  const values = new Uint32Array(n)
  if (bits === 0) return values.fill(min)
  let at = input.take((n * bits + 7) >> 3)
  const bytes = input.bytes
  const mask = 2 ** bits - 1
  let acc = 0
  let held = 0
  for (let i = 0; i < n; i++) {
    while (held < bits) {
      acc |= (bytes[at++] as number) << held
      held += 8
    }
    values[i] = (acc & mask) + min
    acc >>>= bits
    held -= bits
  }
  return values
}
