/**
 * Links an object of `bpf-gcc` to a program as Solana's loader takes it: a shared object of eBPF,
 * sBPF version 0, whose calls of the machine are dynamic relocations. Layout: System V gABI;
 * what the loader asks for is in `anza-xyz/sbpf`, `src/elf.rs`. The object must be one section of
 * code without data: constants stand in the code (`programs/svm.h`).
 */
const EM_BPF = 247
const ET_DYN = 3
const HEADER = 64
const SEGMENT = 56
const SECTION = 64
const SYMBOL = 24
const RELOCATION = 16
/** Code, what the loader has to know of it, and a table that names the parts of that. */
const SEGMENTS = 3
const DYNAMIC_ENTRIES = 8
/** A call whose target is put in by the loader: `R_BPF_64_32`. */
const CALL = 10

interface Section {
  readonly name: string
  readonly bytes: Buffer
}

/** What is linked: code, its entry, and where it calls what of the machine. */
interface Code {
  readonly text: Buffer
  readonly entry: number
  readonly calls: ReadonlyArray<readonly [at: number, name: string]>
}

const textFrom = (bytes: Buffer, at: number): string =>
  bytes.toString("latin1", at, bytes.indexOf(0, at))

const sectionsOf = (object: Buffer): ReadonlyArray<Section> => {
  const at = Number(object.readBigUInt64LE(40))
  const header = (i: number) => object.subarray(at + i * SECTION, at + (i + 1) * SECTION)
  const bytesOf = (i: number): Buffer => {
    const from = Number(header(i).readBigUInt64LE(24))
    const isEmpty = header(i).readUInt32LE(4) === 8
    return object.subarray(from, isEmpty ? from : from + Number(header(i).readBigUInt64LE(32)))
  }
  const names = bytesOf(object.readUInt16LE(62))
  return Array.from({ length: object.readUInt16LE(60) }, (_, i) => ({
    name: textFrom(names, header(i).readUInt32LE(0)),
    bytes: bytesOf(i)
  }))
}

/** Reads an object; throws where it holds what this does not link. */
const readObject = (object: Buffer): Code => {
  const sections = new Map(sectionsOf(object).map(({ name, bytes }) => [name, bytes]))
  const none = Buffer.alloc(0)
  for (const [name, bytes] of sections)
    if (/^\.(rodata|data|bss)/.test(name) && bytes.length > 0)
      throw new Error(`${name} is not empty: a program's constants must stand in its code`)
  const [text = none, symbols = none, names = none, relocations = none] = [
    ".text",
    ".symtab",
    ".strtab",
    ".rel.text"
  ].map(name => sections.get(name))
  const nameOf = (symbol: number) => textFrom(names, symbols.readUInt32LE(symbol * SYMBOL))
  const calls: Array<readonly [number, string]> = []
  for (let at = 0; at < relocations.length; at += RELOCATION) {
    const info = relocations.readBigUInt64LE(at + 8)
    const symbol = Number(info >> 32n)
    const isDefined = symbols.readUInt16LE(symbol * SYMBOL + 6) !== 0
    if (Number(info & 0xffffffffn) !== CALL || isDefined)
      throw new Error(`cannot link ${nameOf(symbol)}: only calls of the machine are linked`)
    calls.push([Number(relocations.readBigUInt64LE(at)), nameOf(symbol)])
  }
  const count = symbols.length / SYMBOL
  const entry = Array.from({ length: count }, (_, i) => i).find(i => nameOf(i) === "entrypoint")
  if (entry === undefined) throw new Error("the object has no entrypoint")
  return { text, entry: Number(symbols.readBigUInt64LE(entry * SYMBOL + 8)), calls }
}

/** Texts behind each other, each ended by a zero, and where each begins. */
const stringTable = (texts: ReadonlyArray<string>) => {
  const places = new Map<string, number>()
  let bytes = Buffer.alloc(1)
  for (const text of texts) {
    places.set(text, bytes.length)
    bytes = Buffer.concat([bytes, Buffer.from(`${text}\0`, "latin1")])
  }
  return { bytes, at: (text: string): number => places.get(text) ?? 0 }
}

const words = (...values: ReadonlyArray<number | bigint>): Buffer => {
  const bytes = Buffer.alloc(8 * values.length)
  for (const [i, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), 8 * i)
  return bytes
}

const aligned = (at: number): number => (at + 7) & ~7

/** Section types and flags of the gABI. */
const PROGBITS = 1
const STRTAB = 3
const DYNAMIC = 6
const REL = 9
const DYNSYM = 11
const [WRITABLE, LOADED, CODE_FLAG] = [1, 2, 4]
/** Segment types. */
const [PT_LOAD, PT_DYNAMIC] = [1, 2]
const [READABLE_CODE, READABLE, CHANGED] = [5, 4, 6]

/** A section of the shared object, loaded where it stands in the file. */
interface Placed {
  readonly name: string
  readonly type: number
  readonly flags: number
  readonly at: number
  readonly bytes: Buffer
  /** the section of the names or symbols that it refers to, and the bytes of an entry */
  readonly link?: number
  readonly entry?: number
}

/** Indices of sections that others refer to. */
const [SYMBOLS_INDEX, NAMES_INDEX] = [3, 4]

/** Names of what is called, as symbols that are defined elsewhere. */
const symbolsOf = (called: ReadonlyArray<string>) => {
  const names = stringTable(called)
  const symbols = Buffer.alloc(SYMBOL * (1 + called.length))
  for (const [i, name] of called.entries()) {
    symbols.writeUInt32LE(names.at(name), SYMBOL * (i + 1))
    // binding global, type none
    symbols.writeUInt8(16, SYMBOL * (i + 1) + 4)
  }
  return { symbols, names: names.bytes }
}

/** Places the code and what the loader has to know of its calls. */
const place = ({ text, calls }: Code): ReadonlyArray<Placed> => {
  const called = [...new Set(calls.map(([, name]) => name))]
  const { symbols, names } = symbolsOf(called)
  const textAt = HEADER + SEGMENTS * SEGMENT
  const dynamicAt = aligned(textAt + text.length)
  const symbolsAt = dynamicAt + DYNAMIC_ENTRIES * 16
  const namesAt = symbolsAt + symbols.length
  const relocationsAt = aligned(namesAt + names.length)
  const relocations = Buffer.concat(
    calls.map(([at, name]) =>
      words(textAt + at, (BigInt(called.indexOf(name) + 1) << 32n) | BigInt(CALL))
    )
  )
  const [DT_NULL, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT] = [0, 5, 6, 10, 11]
  const [DT_REL, DT_RELSZ, DT_RELENT] = [17, 18, 19]
  const dynamic = words(
    ...[DT_REL, relocationsAt, DT_RELSZ, relocations.length, DT_RELENT, RELOCATION],
    ...[DT_SYMTAB, symbolsAt, DT_SYMENT, SYMBOL, DT_STRTAB, namesAt],
    ...[DT_STRSZ, names.length, DT_NULL, 0]
  )
  const sections = [".text", ".dynamic", ".dynsym", ".dynstr", ".rel.dyn", ".shstrtab"]
  const at = (name: string, from: number, bytes: Buffer) => ({ name, at: from, bytes })
  return [
    { ...at(".text", textAt, text), type: PROGBITS, flags: LOADED | CODE_FLAG },
    {
      ...at(".dynamic", dynamicAt, dynamic),
      ...{ type: DYNAMIC, flags: LOADED | WRITABLE, link: NAMES_INDEX, entry: 16 }
    },
    {
      ...at(".dynsym", symbolsAt, symbols),
      ...{ type: DYNSYM, flags: LOADED, link: NAMES_INDEX, entry: SYMBOL }
    },
    { ...at(".dynstr", namesAt, names), type: STRTAB, flags: LOADED },
    {
      ...at(".rel.dyn", relocationsAt, relocations),
      ...{ type: REL, flags: LOADED, link: SYMBOLS_INDEX, entry: RELOCATION }
    },
    {
      ...at(".shstrtab", relocationsAt + relocations.length, stringTable(sections).bytes),
      ...{ type: STRTAB, flags: 0 }
    }
  ]
}

const segmentHeader = (type: number, flags: number, from: number, to: number): Buffer => {
  const header = Buffer.alloc(SEGMENT)
  header.writeUInt32LE(type, 0)
  header.writeUInt32LE(flags, 4)
  words(from, from, from, to - from, to - from, 8).copy(header, 8)
  return header
}

const sectionHeader = (section: Placed, name: number): Buffer => {
  const { type, flags, at, bytes, link = 0, entry = 0 } = section
  const header = Buffer.alloc(SECTION)
  header.writeUInt32LE(name, 0)
  header.writeUInt32LE(type, 4)
  words(flags, flags & LOADED ? at : 0, at, bytes.length).copy(header, 8)
  header.writeUInt32LE(link, 40)
  words(8, entry).copy(header, 48)
  return header
}

const fileHeader = (entryAt: number, sectionsAt: number, sections: number): Buffer => {
  const header = Buffer.alloc(HEADER)
  Buffer.from("7f454c46020101", "hex").copy(header)
  header.writeUInt16LE(ET_DYN, 16)
  header.writeUInt16LE(EM_BPF, 18)
  header.writeUInt32LE(1, 20)
  words(entryAt, HEADER, sectionsAt).copy(header, 24)
  const sizes = [HEADER, SEGMENT, SEGMENTS, SECTION, sections, sections - 1]
  for (const [i, size] of sizes.entries()) header.writeUInt16LE(size, 52 + 2 * i)
  return header
}

/** Returns the shared object of an object file; throws where it holds what is not linked here. */
export const linkProgram = (object: Buffer): Buffer => {
  const code = readObject(object)
  const placed = place(code)
  const [text, dynamic, , , relocations, names] = placed as [Placed, Placed, 0, 0, Placed, Placed]
  const end = ({ at, bytes }: Placed): number => at + bytes.length
  const sectionsAt = aligned(end(names))
  const out = Buffer.alloc(sectionsAt + SECTION * (1 + placed.length))
  fileHeader(text.at + code.entry, sectionsAt, 1 + placed.length).copy(out)
  const segments = [
    segmentHeader(PT_LOAD, READABLE_CODE, text.at, end(text)),
    segmentHeader(PT_LOAD, READABLE, dynamic.at, end(relocations)),
    segmentHeader(PT_DYNAMIC, CHANGED, dynamic.at, end(dynamic))
  ]
  for (const [i, header] of segments.entries()) header.copy(out, HEADER + i * SEGMENT)
  const nameOf = stringTable(placed.map(({ name }) => name))
  for (const [i, section] of placed.entries()) {
    section.bytes.copy(out, section.at)
    sectionHeader(section, nameOf.at(section.name)).copy(out, sectionsAt + (1 + i) * SECTION)
  }
  return out
}
