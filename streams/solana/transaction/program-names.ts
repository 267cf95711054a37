/** Addresses of programs, looked for in bytes of text. */
export class ProgramNames {
  /** by the first two characters: whether any begins so */
  private readonly begins = new Uint8Array(0x1_0000)
  private readonly all: ReadonlyArray<Buffer>
  readonly programs: ReadonlySet<string>

  constructor(programs: Iterable<string>) {
    this.programs = new Set(programs)
    this.all = [...this.programs].map(program => Buffer.from(program, "latin1"))
    for (const name of this.all) this.begins[name[0]! * 0x100 + name[1]!] = 1
  }

  /** Whether the text of `length` bytes at `start` is one of them. */
  has(bytes: Buffer, start: number, length: number): boolean {
    if (this.begins[bytes[start]! * 0x100 + bytes[start + 1]!] === 0) return false
    return this.all.some(
      name => name.length === length && name.compare(bytes, start, start + length) === 0
    )
  }
}
