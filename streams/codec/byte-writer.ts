/** A growing byte buffer with the few primitives of the segment format. Reused between segments. */
export class ByteWriter {
  bytes = new Uint8Array(1 << 16)
  length = 0

  reset(): void {
    this.length = 0
  }

  /** Makes room for `size` more bytes. */
  reserve(size: number): void {
    if (this.length + size <= this.bytes.length) return
    const next = new Uint8Array(Math.max(this.bytes.length * 2, this.length + size))
    next.set(this.bytes.subarray(0, this.length))
    this.bytes = next
  }

  u8(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  u32(value: number): void {
    this.reserve(4)
    const at = this.length
    this.bytes[at] = value & 0xff
    this.bytes[at + 1] = (value >>> 8) & 0xff
    this.bytes[at + 2] = (value >>> 16) & 0xff
    this.bytes[at + 3] = value >>> 24
    this.length = at + 4
  }

  /** LEB128 of a non-negative integer up to 2^53. */
  varint(value: number): void {
    this.reserve(8)
    let rest = value
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.bytes[this.length++] = rest
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.length)
  }
}
