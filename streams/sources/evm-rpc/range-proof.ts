/**
 * Whether the logs told of a range are all there, by the headers of all its blocks: each must
 * continue the one before, and show nothing wanted that was not told. What a header speaks against
 * is settled by the block's receipts, and where it says nothing, some blocks are. What cannot be
 * settled is a gap.
 */
import { Effect, Result } from "effect"
import { isProof } from "../../../src/domain/assurance.ts"
import { type BlockRange, SourceError } from "../../source.ts"
import { hexNumber } from "./block-number.ts"
import { DIFFER, type WireBlock, wireBlock } from "./block-proof.ts"
import { bloomOfLogs, isEmptyBloom, isWithinBloom } from "./bloom.ts"
import { GIVE_FORGOTTEN } from "./endpoint-calls.ts"
import type { LaneError, RpcLane } from "./rpc-lane.ts"
import { type Header, provenTxs, readHeader, sameLogs, type WireLog, type WireTx } from "./wire.ts"

export interface WireRange {
  readonly from: number
  readonly to: number
  /** blocks that are sealed, oldest first: the others are shown by their headers to be empty */
  readonly blocks: ReadonlyArray<WireBlock>
  /** the blocks `from` and `to`, whether they have logs or not */
  readonly first: Header
  readonly last: Header
}

/** What a range of logs and its blocks did not agree about. */
export class Contradiction {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** How logs of some blocks are known, and the places of the endpoints that told them. */
export interface Grade extends BlockRange {
  /** `range`: one endpoint's word; `second`: two say the same; `unproven`: two differ */
  readonly grade: string
  readonly by: ReadonlyArray<number>
}

/** Logs of a range, and how far they can be believed. */
export interface ToldLogs {
  readonly logs: ReadonlyArray<WireLog>
  readonly grades: ReadonlyArray<Grade>
  /** blocks that endpoints disagreed about, with their proof */
  readonly proven: ReadonlyMap<number, WireBlock>
}

/** Logs of a range as they were asked for. */
export interface ToldRange extends ToldLogs {
  /** tokens that were watched by then: of others, which came since, nobody was asked */
  readonly tokens: number
}

/** Headers asked for before they are judged: those of busy blocks take memory. */
const HEADERS_AT_ONCE = 200

/** Blocks settled beside each other. */
const WINDOW = 8

/** Senders found out of a block of history by signatures: all of them would slow its reading. */
const SENDERS_OF_HISTORY = 1

/** Why a block is a gap whose logs are a word that its header speaks against. */
const UNFIT = "its header does not fit the logs that are told of it"

/** Blocks of a range that cannot be settled, after which the others are not tried. */
const MOST_UNSETTLED = 8

/** Of blocks that no header speaks for one in so many is settled, and so many at least. */
const SAMPLE_SILENT = { one: 16, least: 16 } as const
const SAMPLE_WORDS = { one: 64, least: 2 } as const

/** A block that nothing speaks for yet. */
interface Open {
  /** without what takes memory */
  readonly header: Header
  readonly told: WireBlock | null
  /**
   * `shown`: the bloom shows more than was told; `silent`: no logs were told, and the header does
   * not say that there are none; `word`: logs were told that are a node's word
   */
  readonly doubt: "shown" | "silent" | "word"
}

export const groupByBlock = (logs: ReadonlyArray<WireLog>): ReadonlyMap<number, Array<WireLog>> => {
  const groups = new Map<number, Array<WireLog>>()
  for (const log of logs) {
    const group = groups.get(log.block)
    if (group === undefined) groups.set(log.block, [log])
    else group.push(log)
  }
  return groups
}

const gradeOf = ({ grades }: ToldLogs, block: number): Grade =>
  grades.find(({ fromBlock, toBlock }) => block >= fromBlock && block <= toBlock) ?? {
    ...{ fromBlock: block, toBlock: block, grade: "range", by: [] }
  }

const blockOf = (
  header: Header,
  logs: ReadonlyArray<WireLog>,
  grade: string
): WireBlock | Contradiction => {
  const { number, hash, bloom } = header
  if (logs.some(log => log.blockHash !== hash)) {
    return new Contradiction(`logs of block ${number} are of another block`)
  }
  const txs = new Map<number, WireTx>((header.txs ?? []).map(tx => [tx.index, tx]))
  if (logs.some(log => txs.get(log.txIndex)?.hash !== log.txHash)) {
    return new Contradiction(`logs of block ${number} are of unknown transactions`)
  }
  const checkable = bloom !== null && !isEmptyBloom(bloom)
  if (checkable && !isWithinBloom(bloomOfLogs(logs), bloom)) {
    return new Contradiction(`the bloom of block ${number} does not show its logs`)
  }
  const places = new Set(logs.map(log => log.txIndex))
  for (const [place, tx] of provenTxs(header, places, SENDERS_OF_HISTORY)) txs.set(place, tx)
  return { header: light(header), logs, txs, grade, gap: grade === "unproven" ? DIFFER : null }
}

const light = (header: Header): Header => ({ ...header, txHashes: null, txs: null, body: null })

/** The blocks of these numbers: with transactions where they have logs. */
const fetchBlocks = (
  lane: RpcLane,
  numbers: ReadonlyArray<number>,
  withTxs: (block: number) => boolean
): Effect.Effect<ReadonlyArray<Header> | Contradiction, LaneError> => {
  const wanted = new Set(numbers)
  // These blocks are final: a node that has one of them not is asked again, for that one only.
  const read = (result: unknown) => {
    const header = readHeader(result)
    return header !== null && wanted.has(header.number) ? header : null
  }
  const calls = numbers.map(number => ({
    method: "eth_getBlockByNumber",
    params: [hexNumber(number), withTxs(number)]
  }))
  return Effect.map(lane.endpoints.batch(calls, read, GIVE_FORGOTTEN), results => {
    const headers: Array<Header> = []
    for (const [i, result] of results.entries()) {
      if (Result.isFailure(result) || result.success.number !== numbers[i]) {
        return new Contradiction(`no block ${numbers[i]}`)
      }
      headers.push(result.success)
    }
    return headers
  })
}

/** What the headers of a range say of its logs. */
interface Judged {
  readonly first: Header
  readonly last: Header
  /** blocks with logs, as they were told or proven */
  readonly blocks: Map<number, WireBlock>
  readonly open: ReadonlyArray<Open>
}

/** Judges a block; what is open of it goes to `open`. */
const judge = (
  lane: RpcLane,
  told: ToldLogs,
  header: Header,
  logs: ReadonlyArray<WireLog>,
  open: Array<Open>
): WireBlock | Contradiction | null => {
  const proven = told.proven.get(header.number)
  if (proven !== undefined) {
    const isEmpty = proven.logs.length === 0 && proven.gap === null && isProof(proven.grade)
    return isEmpty ? null : proven
  }
  const { grade } = gradeOf(told, header.number)
  const block = logs.length === 0 ? null : blockOf(header, logs, grade)
  if (block instanceof Contradiction) return block
  const doubt = lane.blockLogs.doubtOf(header, logs)
  if (block === null ? doubt !== "none" : grade !== "unproven") {
    const isWord = grade === "range" || doubt === "untold"
    const kind = doubt === "shown" ? "shown" : block === null ? "silent" : "word"
    if (kind !== "word" || isWord) open.push({ header: light(header), told: block, doubt: kind })
  }
  return block
}

const judgeAll = (
  lane: RpcLane,
  told: ToldLogs,
  { fromBlock, toBlock }: BlockRange
): Effect.Effect<Judged | Contradiction, LaneError> =>
  Effect.gen(function* () {
    const groups = groupByBlock(told.logs)
    const blocks = new Map<number, WireBlock>()
    const open: Array<Open> = []
    let first: Header | null = null
    let last: Header | null = null
    for (let at = fromBlock; at <= toBlock; at += HEADERS_AT_ONCE) {
      const count = Math.min(HEADERS_AT_ONCE, toBlock - at + 1)
      const numbers = Array.from({ length: count }, (_, i) => at + i)
      const headers = yield* fetchBlocks(lane, numbers, number => groups.has(number))
      if (headers instanceof Contradiction) return headers
      for (const header of headers) {
        const { number, parentHash, time } = header
        if (last !== null && parentHash !== last.hash) {
          return new Contradiction(`block ${number} does not continue block ${number - 1}`)
        }
        if (last !== null && time < last.time) {
          return new Contradiction(`block ${number} is of an earlier second than the one before`)
        }
        const block = judge(lane, told, header, groups.get(number) ?? [], open)
        if (block instanceof Contradiction) return block
        if (block !== null) blocks.set(number, block)
        last = light(header)
        first ??= last
      }
    }
    return { first: first as Header, last: last as Header, blocks, open }
  })

/** Some of a list, evenly spread. */
const spread = <A>(
  list: ReadonlyArray<A>,
  { one, least }: { readonly one: number; readonly least: number }
): ReadonlyArray<A> => {
  const count = Math.min(list.length, Math.max(least, Math.ceil(list.length / one)))
  return Array.from({ length: count }, (_, i) => {
    const at = Math.floor(((i + 0.5) * list.length) / count)
    return list[at] as A
  })
}

/** Settles open blocks of a range, as far as that can be done. */
class Settling {
  private readonly lane: RpcLane
  private readonly told: ToldRange
  private readonly must: boolean
  readonly settled = new Map<number, WireBlock>()
  private readonly wrong = new Set<number>()
  /** blocks that could not be settled, and why the last could not */
  unsettled = 0
  reason = ""

  constructor(lane: RpcLane, told: ToldRange, must: boolean) {
    this.lane = lane
    this.told = told
    this.must = must
  }

  get isGivenUp(): boolean {
    return this.unsettled >= MOST_UNSETTLED
  }

  /** Whether the logs of some block were shown to be others than those told. */
  get isRefuted(): boolean {
    return this.wrong.size > 0
  }

  /** Settles them in order, until too many cannot be; false where the chain has another block. */
  all(list: ReadonlyArray<Open>): Effect.Effect<boolean, LaneError> {
    return Effect.gen({ self: this }, function* () {
      for (let at = 0; at < list.length && !this.isGivenUp; at += WINDOW) {
        const some = list.slice(at, at + WINDOW)
        const found = yield* Effect.forEach(some, one => this.one(one), { concurrency: WINDOW })
        if (found.includes(false)) return false
      }
      return true
    })
  }

  private one({ header, told, doubt }: Open): Effect.Effect<boolean, LaneError> {
    return Effect.gen({ self: this }, function* () {
      const { number } = header
      const block = yield* this.lane.blockLogs.fetch(header, doubt === "shown", SENDERS_OF_HISTORY)
      if (block === null) return false
      if (block.gap !== null) {
        this.unsettled++
        this.reason = block.gap
        const message = `block ${number}: ${block.gap}`
        if (this.must) return yield* new SourceError({ message, fatal: false })
      } else if (!isProof(block.grade)) return true
      else if (!this.isAsTold(block, told)) yield* this.refute(number)
      this.settled.set(number, trimmed(block))
      return true
    })
  }

  /** Whether a block's logs are those told, of what was asked for. */
  private isAsTold(block: WireBlock, told: WireBlock | null): boolean {
    const asked = (logs: ReadonlyArray<WireLog>) =>
      this.lane.watch.wantedBefore(logs, this.told.tokens)
    return sameLogs(asked(block.logs), asked(told?.logs ?? []))
  }

  /** Who told the logs of a block was wrong: said once. */
  private refute(number: number): Effect.Effect<void> {
    const news = gradeOf(this.told, number).by.filter(place => !this.wrong.has(place))
    for (const place of news) this.wrong.add(place)
    const reason = `block ${number}: its logs are not those of its receipts`
    return Effect.forEach(news, place => this.lane.endpoints.convict(place, reason), {
      discard: true
    })
  }
}

/** Receipts tell of every transaction and log: a range keeps what is written of them. */
const trimmed = ({ all: _, ...block }: WireBlock): WireBlock => {
  const wanted = new Set(block.logs.map(({ txIndex }) => txIndex))
  return { ...block, txs: new Map([...block.txs].filter(([index]) => wanted.has(index))) }
}

/** A block that nobody could settle, with what was told of it. */
const unsettledBlock = ({ header, told }: Open, gap: string): WireBlock => ({
  ...(told ?? { header, logs: [], txs: new Map() }),
  ...{ grade: "unproven", gap }
})

/**
 * Settles what the headers leave open. All that they speak against; of the rest some blocks, and
 * all where one of these shows that who told them leaves logs out, or where that is asked for and
 * these could be proven. Without receipts the rest is believed.
 */
const settle = (lane: RpcLane, told: ToldRange, { open }: Judged, must: boolean) =>
  Effect.gen(function* () {
    const settling = new Settling(lane, told, must)
    const of = (doubt: Open["doubt"]) => open.filter(one => one.doubt === doubt)
    const mayProve = lane.blockLogs.mayProve
    const sample = mayProve
      ? [...spread(of("silent"), SAMPLE_SILENT), ...spread(of("word"), SAMPLE_WORDS)]
      : []
    if (!(yield* settling.all([...of("shown"), ...sample]))) return null
    const isLeft = ({ header }: Open) => !settling.settled.has(header.number)
    if (settling.isRefuted && !(yield* settling.all(open.filter(isLeft)))) return null
    const proves =
      lane.provesWords && sample.some(({ header }) => settling.settled.has(header.number))
    if (proves && !(yield* settling.all(of("word").filter(isLeft)))) return null
    // those that were not tried are no better
    const isDoubted = ({ doubt }: Open) =>
      doubt === "shown" || (settling.isGivenUp && (doubt === "silent" || settling.isRefuted))
    for (const one of open.filter(isLeft)) {
      if (!isDoubted(one)) continue
      const reason = settling.reason === "" ? UNFIT : settling.reason
      settling.settled.set(one.header.number, unsettledBlock(one, reason))
    }
    return settling.settled
  })

/**
 * The range with what its headers prove; a gap where they do not and nothing else does. With `must`
 * a block that cannot be settled is an error instead.
 */
export const proveRange = (
  lane: RpcLane,
  told: ToldRange,
  range: BlockRange,
  must: boolean
): Effect.Effect<WireRange | Contradiction, LaneError> =>
  Effect.gen(function* () {
    const judged = yield* judgeAll(lane, told, range)
    if (judged instanceof Contradiction) return judged
    const { first, last, blocks, open } = judged
    const settled = yield* settle(lane, told, judged, must)
    if (settled === null) return new Contradiction("the chain has other blocks by now")
    for (const [number, block] of settled) {
      if (block.logs.length === 0 && block.gap === null) blocks.delete(number)
      else blocks.set(number, block)
    }
    for (const { header, doubt } of open) {
      if (doubt !== "silent" || settled.has(header.number)) continue
      // nothing shows it to be empty but who told so
      const { grade } = gradeOf(told, header.number)
      blocks.set(header.number, wireBlock(header, [], new Map(), grade))
    }
    const gap = must ? [...blocks.values()].find(one => one.gap !== null) : undefined
    if (gap !== undefined) {
      const message = `block ${gap.header.number}: ${gap.gap}`
      return yield* new SourceError({ message, fatal: false })
    }
    return {
      ...{ from: range.fromBlock, to: range.toBlock, first, last },
      blocks: [...blocks.values()].sort((a, b) => a.header.number - b.header.number)
    }
  })
