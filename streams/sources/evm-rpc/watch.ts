/**
 * Which logs are wanted: those of some topics, whoever logs them, and transfers of some contracts,
 * since their topic alone is the commonest there is. A transfer of three topics is a token's, one
 * of four a position manager's. The chain's wrapped native token tells by two more topics, which
 * are wanted with its transfers.
 */
import { tokenTransfer, wrapEvents } from "../../evm/token-transfers/decode.ts"
import { hexNumber } from "./block-number.ts"
import { bloomBits, bloomFill, bloomHas } from "./bloom.ts"
import type { WireLog } from "./wire.ts"

const TRANSFER = tokenTransfer.topic0
const WRAPS: ReadonlyArray<string> = wrapEvents.map(({ topic0 }) => topic0)
const TOKEN_TOPICS = 3
const MANAGER_TOPICS = 4
const WRAP_TOPICS = 2

/** Addresses of one filter: nodes take some hundreds and more. */
const MOST_ADDRESSES = 200

type Bits = ReturnType<typeof bloomBits>

interface Emitter {
  readonly bits: Bits
  readonly topics: number
}

/** What `eth_getLogs` is asked for, besides the blocks. */
export interface LogFilter {
  readonly address?: ReadonlyArray<string>
  readonly topics: ReadonlyArray<ReadonlyArray<string>>
}

export class Watch {
  private readonly bits: ReadonlyMap<string, Bits>
  private readonly transferBits = bloomBits(TRANSFER)
  private readonly wrapBits = WRAPS.map(bloomBits)
  private readonly emitters = new Map<string, Emitter>()
  /** tokens whose transfers are wanted, in the order in which they came */
  readonly tokens: Array<string> = []
  private made: ReadonlyArray<LogFilter> | null = null
  private readonly topics: ReadonlyArray<string>
  private readonly wrapped: string | null

  /** @param wrapped the chain's wrapped native token: of wanted ones its wraps are, too */
  constructor(
    topics: ReadonlyArray<string>,
    managers: ReadonlyArray<string> = [],
    tokens: ReadonlyArray<string> = [],
    wrapped: string | null = null
  ) {
    this.topics = topics
    this.wrapped = wrapped
    this.bits = new Map(topics.map(topic => [topic, bloomBits(topic)]))
    for (const manager of managers) {
      this.emitters.set(manager, { bits: bloomBits(manager), topics: MANAGER_TOPICS })
    }
    for (const token of tokens) this.addToken(token)
  }

  /** Transfers of this token are wanted from now on. */
  addToken(token: string): void {
    if (this.tokens.includes(token)) return
    this.tokens.push(token)
    if (this.emitters.has(token)) return
    this.emitters.set(token, { bits: bloomBits(token), topics: TOKEN_TOPICS })
    this.made = null
  }

  wants(log: WireLog): boolean {
    return this.bits.has(log.topics[0] ?? "") || this.wantsTransfer(log)
  }

  /** Whether the log is a transfer of one of the contracts, or a wrap. */
  wantsTransfer({ topics, address }: WireLog): boolean {
    if (topics[0] === TRANSFER) return this.emitters.get(address)?.topics === topics.length
    if (topics.length !== WRAP_TOPICS || address !== this.wrapped) return false
    return this.emitters.has(address) && WRAPS.includes(topics[0] ?? "")
  }

  /** The logs of these that were wanted already when only the first `count` tokens were. */
  wantedBefore(logs: ReadonlyArray<WireLog>, count: number): ReadonlyArray<WireLog> {
    const later = new Set(this.tokens.slice(count))
    if (later.size === 0) return logs
    return logs.filter(log => !later.has(log.address) || !this.wantsTransfer(log))
  }

  /** Whether the bloom may hold a transfer or wrap of somebody: `by` is whom it may be of. */
  private showsTransfer(bloom: Uint8Array, by: (address: string) => boolean): boolean {
    if (this.emitters.size === 0) return false
    const isTransfer = bloomHas(bloom, this.transferBits)
    const isWrap = this.wrapBits.some(bits => bloomHas(bloom, bits))
    if (!isTransfer && !isWrap) return false
    for (const [address, { bits }] of this.emitters) {
      if (!isTransfer && address !== this.wrapped) continue
      if (by(address) && bloomHas(bloom, bits)) return true
    }
    return false
  }

  /** Whether the bloom may hold a watched topic, other than those of these logs. */
  mayHold(bloom: Uint8Array, besides: ReadonlyArray<WireLog> = []): boolean {
    const seen = new Set(besides.map(log => log.topics[0]))
    for (const [topic, bits] of this.bits) {
      if (!seen.has(topic) && bloomHas(bloom, bits)) return true
    }
    return false
  }

  /** Whether the bloom may hold something wanted that none of these logs explains. */
  showsBesides(bloom: Uint8Array, logs: ReadonlyArray<WireLog>): boolean {
    if (this.mayHold(bloom, logs)) return true
    const heard = new Set(logs.map(({ address }) => address))
    return this.showsTransfer(bloom, address => !heard.has(address))
  }

  /**
   * Whether what the bloom shows means something. A full one shows most of what the block does not
   * have: of so many wanted topics and contracts it would show one or more by chance.
   */
  isTelling(bloom: Uint8Array): boolean {
    const each = bloomFill(bloom) ** 3
    return this.bits.size * each + this.emitters.size * each ** 2 < 1
  }

  /** Whether the bloom may hold a transfer of one of the contracts. */
  mayHoldTransfer(bloom: Uint8Array): boolean {
    return this.showsTransfer(bloom, () => true)
  }

  /** Filters that together give every wanted log. */
  get filters(): ReadonlyArray<LogFilter> {
    this.made ??= this.filtersNow()
    return this.made
  }

  /** Those a block may have logs for, by its bloom; null where it shows nothing. */
  filtersOf(bloom: Uint8Array | null): ReadonlyArray<LogFilter> {
    if (bloom === null || this.mayHoldTransfer(bloom)) return this.filters
    return this.filters.filter(({ address }) => address === undefined)
  }

  private filtersNow(): ReadonlyArray<LogFilter> {
    const filters: Array<LogFilter> = []
    if (this.topics.length > 0) filters.push({ topics: [this.topics] })
    const addresses = [...this.emitters.keys()]
    for (let at = 0; at < addresses.length; at += MOST_ADDRESSES) {
      const address = addresses.slice(at, at + MOST_ADDRESSES)
      const isWrapped = this.wrapped !== null && address.includes(this.wrapped)
      filters.push({ address, topics: [isWrapped ? [TRANSFER, ...WRAPS] : [TRANSFER]] })
    }
    return filters
  }
}

/** Calls for every wanted log of these blocks. */
export const logCalls = (watch: Watch, from: number, to: number) =>
  watch.filters.map(filter => ({
    method: "eth_getLogs",
    params: [{ fromBlock: hexNumber(from), toBlock: hexNumber(to), ...filter }]
  }))
