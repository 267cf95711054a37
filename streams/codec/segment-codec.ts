/**
 * A segment: the binary form of a batch. Layout: version, id tables, symbols, blocks,
 * transactions, the order of events, then the columns of each kind present. Older versions stay
 * readable: a kind writes how many columns it has, later columns are read as null.
 */
import { Result } from "effect"
import { hexIds, ID_BYTES, type IdForm, idFormOf } from "../../src/domain/ids.ts"
import {
  type AnyColumn,
  type BatchColumns,
  type EventBatch,
  eventKindNames,
  kindName,
  newColumns
} from "../batch/batch.ts"
import { RefColumn } from "../batch/columns.ts"
import { ByteTable, HASH_BIT, IdTable, NONE } from "../batch/id-table.ts"
import { EVENT_SCHEMA_VERSION, eventKinds, type KindSpec } from "../event.ts"
import { ByteReader, MalformedSegment } from "./byte-reader.ts"
import { ByteWriter } from "./byte-writer.ts"
import {
  absentColumn,
  type RefLimits,
  readColumn,
  readNums,
  readRefs,
  readText,
  writeColumn,
  writeNums,
  writeRefs,
  writeText
} from "./column-codec.ts"
import { packUints, unpackUints } from "./pack.ts"

const spec = (name: keyof typeof eventKinds): KindSpec => eventKinds[name]

/** The columns of a kind in stored order. */
const columnsOf = (batch: BatchColumns, kind: keyof typeof eventKinds) =>
  Object.entries(spec(kind).columns).map(
    ([name, type]) =>
      [
        name,
        type,
        (batch[kind] as { readonly [name: string]: AnyColumn })[name] as AnyColumn
      ] as const
  )

const shared = new ByteWriter()

/** A batch as bytes. */
export const encodeSegment = (batch: EventBatch): Uint8Array => {
  const out = shared
  out.reset()
  out.u8(EVENT_SCHEMA_VERSION)
  const { ids, blocks, txs } = batch
  out.u8(ids.form.code)
  out.varint(ids.accounts.count)
  out.raw(narrowed(ids))
  out.varint(ids.hashes.count)
  out.raw(ids.hashes.data.subarray(0, ids.hashes.count * ID_BYTES))
  out.varint(batch.syms.length)
  for (const text of batch.syms) writeText(out, text)
  out.varint(blocks.count)
  writeNums(out, blocks.number)
  writeNums(out, blocks.time)
  writeRefs(out, blocks.hash)
  writeRefs(out, blocks.parentHash)
  out.varint(txs.count)
  out.u8(txs.hash.width)
  out.raw(txs.hash.data.subarray(0, txs.count * txs.hash.width))
  packUints(out, txs.index.values, txs.count)
  writeRefs(out, txs.from)
  writeRefs(out, txs.to)
  out.varint(batch.count)
  packUints(out, batch.kind.values, batch.count)
  packUints(out, batch.block.values, batch.count)
  const txRefs = batch.tx.values.map(ref => (ref === NONE ? 0 : ref + 1))
  packUints(out, txRefs, batch.count)
  packUints(out, batch.logIndex.values, batch.count)
  for (const kind of eventKindNames) writeKind(out, batch, kind)
  out.u8(0)
  return out.finish()
}

const writeKind = (out: ByteWriter, batch: EventBatch, kind: keyof typeof eventKinds): void => {
  const columns = columnsOf(batch.columns, kind)
  const rows = columns[0]?.[2].count ?? 0
  if (rows === 0) return
  out.u8(spec(kind).id)
  out.varint(rows)
  out.u8(columns.length)
  for (const [, type, column] of columns) writeColumn(out, type, column)
}

const counted = (values: Uint32Array): RefColumn => {
  const column = new RefColumn(values)
  column.count = values.length
  return column
}

/** From this version on the hashes of transactions are a table of their own. */
const OWN_TX_HASHES = 12

/** The hashes of a segment's transactions; before they had a table they were among all hashes. */
const readTxHashes = (
  input: ByteReader,
  version: number,
  count: number,
  { form, hashes }: IdTable,
  limits: RefLimits
): ByteTable => {
  if (version >= OWN_TX_HASHES) {
    const width = input.u8()
    if (width !== form.txBytes)
      throw new MalformedSegment(`transactions have ids of ${width} bytes`)
    return ByteTable.over(width, input.raw(count * width))
  }
  const table = new ByteTable(hashes.width, count, 1)
  for (const ref of readRefs(input, count, limits).values) {
    if (ref < HASH_BIT || ref === NONE) throw new MalformedSegment("a transaction has no hash")
    table.push(hashes.data, (ref - HASH_BIT) * hashes.width)
  }
  return table
}

/** From this version on a segment tells how its chain writes identities; before it was hex. */
const OWN_FORM = 13

const readForm = (input: ByteReader, version: number): IdForm => {
  const code = version < OWN_FORM ? hexIds.code : input.u8()
  const form = idFormOf(code)
  if (form === undefined) {
    throw new MalformedSegment(`form ${code} of identities is newer than this engine`)
  }
  return form
}

/** The stored part of each account. */
const narrowed = ({ form, accounts }: IdTable): Uint8Array => {
  const { storedBytes: size } = form
  if (size === ID_BYTES) return accounts.data.subarray(0, accounts.count * ID_BYTES)
  const bytes = new Uint8Array(accounts.count * size)
  for (let i = 0; i < accounts.count; i++) {
    bytes.set(accounts.bytes(i).subarray(ID_BYTES - size), i * size)
  }
  return bytes
}

/** Accounts of their stored parts. */
const readAccounts = (input: ByteReader, { storedBytes: size }: IdForm): ByteTable => {
  const count = input.count()
  const stored = input.raw(count * size)
  if (size === ID_BYTES) return ByteTable.over(ID_BYTES, stored)
  const bytes = new Uint8Array(count * ID_BYTES)
  for (let i = 0; i < count; i++) {
    bytes.set(stored.subarray(i * size, (i + 1) * size), (i + 1) * ID_BYTES - size)
  }
  return ByteTable.over(ID_BYTES, bytes)
}

const readTables = (input: ByteReader, version: number) => {
  const form = readForm(input, version)
  const accounts = readAccounts(input, form)
  const hashes = ByteTable.over(ID_BYTES, input.raw(input.count() * ID_BYTES))
  const syms = Array.from({ length: input.count(65536) }, () => readText(input) ?? "")
  const limits: RefLimits = {
    packedLimit: [hashes.count * 2, accounts.count * 2 - 1],
    syms: syms.length
  }
  return { ids: new IdTable(form, accounts, hashes), syms, limits }
}

const readKinds = (input: ByteReader, limits: RefLimits, counts: Uint32Array): BatchColumns => {
  const all = newColumns() as { [kind: string]: { [name: string]: AnyColumn } }
  for (let id = input.u8(); id !== 0; id = input.u8()) {
    const kind = kindName(id)
    if (kind === undefined) throw new MalformedSegment(`event kind ${id} is newer than this engine`)
    const rows = input.count()
    const stored = input.u8()
    if (rows !== counts[id]) throw new MalformedSegment(`${kind} has ${rows} rows for its events`)
    counts[id] = 0
    const columns = Object.entries(spec(kind).columns)
    if (stored > columns.length) throw new MalformedSegment(`${kind} is newer than this engine`)
    columns.forEach(([name, type], place) => {
      const target = all[kind] as { [name: string]: AnyColumn }
      target[name] =
        place < stored ? readColumn(input, type, rows, limits) : absentColumn(type, rows)
    })
  }
  if (counts.some(count => count !== 0)) throw new MalformedSegment("events without columns")
  return all as unknown as BatchColumns
}

const checkRange = (values: Uint32Array, limit: number, what: string): void => {
  for (let i = 0; i < values.length; i++) {
    if ((values[i] as number) >= limit) throw new MalformedSegment(`${what} out of range`)
  }
}

const readBatch = (input: ByteReader): EventBatch => {
  const version = input.u8()
  if (version === 0 || version > EVENT_SCHEMA_VERSION) {
    throw new MalformedSegment(`schema version ${version} is newer than this engine`)
  }
  const { ids, syms, limits } = readTables(input, version)
  const blockCount = input.count()
  const blocks = {
    count: blockCount,
    number: readNums(input, blockCount),
    time: readNums(input, blockCount),
    hash: readRefs(input, blockCount, limits),
    parentHash: readRefs(input, blockCount, limits)
  }
  const txCount = input.count()
  const txs = {
    count: txCount,
    hash: readTxHashes(input, version, txCount, ids, limits),
    index: counted(unpackUints(input, txCount)),
    from: readRefs(input, txCount, limits),
    to: readRefs(input, txCount, limits)
  }
  const count = input.count()
  const kind = unpackUints(input, count)
  const block = unpackUints(input, count)
  const tx = unpackUints(input, count)
  const logIndex = unpackUints(input, count)
  checkRange(block, blockCount, "block")
  checkRange(tx, txCount + 1, "transaction")
  checkRange(kind, 256, "event kind")
  const row = new Uint32Array(count)
  const counts = new Uint32Array(256)
  for (let i = 0; i < count; i++) {
    const id = kind[i] as number
    row[i] = counts[id] as number
    counts[id] = (row[i] as number) + 1
    tx[i] = tx[i] === 0 ? NONE : (tx[i] as number) - 1
  }
  return {
    count,
    kind: counted(kind),
    row: counted(row),
    block: counted(block),
    tx: counted(tx),
    logIndex: counted(logIndex),
    blocks,
    txs,
    ids,
    syms,
    columns: readKinds(input, limits, counts)
  }
}

/** The batch in these bytes, or why they are not a segment this engine can read. */
export const decodeSegment = (bytes: Uint8Array): Result.Result<EventBatch, MalformedSegment> =>
  Result.try({
    try: () => {
      const input = new ByteReader(bytes)
      const batch = readBatch(input)
      if (input.at === bytes.length) return batch
      throw new MalformedSegment("bytes after the end of the segment")
    },
    catch: cause => {
      if (cause instanceof MalformedSegment) return cause
      throw cause
    }
  })
