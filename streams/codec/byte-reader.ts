/** Thrown inside the codec for bytes that are no segment; `decodeSegment` makes it a value. */
export class MalformedSegment extends Error {}

/** Reads the primitives of the segment format; every read is bounds-checked. */
export class ByteReader {
  readonly bytes: Uint8Array
  readonly view: DataView
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Moves past `size` bytes and returns where they begin. */
  take(size: number): number {
    const from = this.at
    if (size < 0 || from + size > this.bytes.length) {
      throw new MalformedSegment(`segment ends ${from + size - this.bytes.length} bytes early`)
    }
    this.at = from + size
    return from
  }

  u8(): number {
    return this.bytes[this.take(1)] as number
  }

  u32(): number {
    const at = this.take(4)
    const b = this.bytes
    return (
      (b[at] as number) +
      (b[at + 1] as number) * 0x100 +
      (b[at + 2] as number) * 0x10000 +
      (b[at + 3] as number) * 0x1000000
    )
  }

  varint(): number {
    let value = 0
    let scale = 1
    for (let i = 0; i < 8; i++) {
      const byte = this.u8()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
    }
    throw new MalformedSegment("number too long")
  }

  /** A count, bounded so that a forged one cannot exhaust memory. */
  count(limit = 1 << 26): number {
    const value = this.varint()
    if (value > limit) throw new MalformedSegment(`count ${value} out of range`)
    return value
  }

  raw(size: number): Uint8Array {
    const from = this.take(size)
    return this.bytes.subarray(from, from + size)
  }
}
