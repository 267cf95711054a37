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

/** Bytes that one read takes: a value of up to 24 bits at any bit lies within 32. */
const READ_BYTES = 4

/**
 * Reads `n` values of `bits` bits into `out` from place `first` on. Every value is cut out of the
 * 32 bits it begins in, so that nothing depends on the value before.
 */
const readBits = (
  input: ByteReader,
  out: Uint32Array,
  first: number,
  bits: number,
  min: number
): void => {
  const n = out.length - first
  const size = (n * bits + 7) >> 3
  const from = input.take(size)
  const { view } = input
  const mask = (1 << bits) - 1
  // sums wrap at 32 bits as the array does
  const low = min | 0
  // values that begin less than four bytes before the end of everything
  const most = Math.floor(((view.byteLength - from - READ_BYTES) * 8) / bits)
  const whole = Math.max(0, Math.min(n, most))
  let at = 0
  for (let i = 0; i < whole; i++) {
    out[first + i] = ((view.getUint32(from + (at >>> 3), true) >>> (at & 7)) & mask) + low
    at += bits
  }
  for (let i = whole; i < n; i++) {
    let word = 0
    for (let k = 0, byte = from + (at >>> 3); k < READ_BYTES && byte + k < from + size; k++) {
      word |= view.getUint8(byte + k) << (8 * k)
    }
    out[first + i] = ((word >>> (at & 7)) & mask) + low
    at += bits
  }
}

const readDelta = (input: ByteReader, n: number, bits: number): Uint32Array => {
  const values = new Uint32Array(n)
  const first = input.varint()
  const min = input.varint()
  if (bits === 0) values.fill(min)
  else readBits(input, values, 1, bits, min)
  let previous = first | 0
  values[0] = previous
  for (let i = 1; i < n; i++) {
    const code = values[i] as number
    previous = (previous + ((code >>> 1) ^ -(code & 1))) | 0
    values[i] = previous
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
  const values = new Uint32Array(n)
  if (bits === 32) {
    const from = input.take(n * 4)
    const { view } = input
    for (let i = 0; i < n; i++) values[i] = view.getUint32(from + i * 4, true)
    return values
  }
  const min = input.varint()
  if (bits === 0) return values.fill(min)
  readBits(input, values, 0, bits, min)
  return values
}
