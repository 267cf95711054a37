/**
 * The endpoints of a Solana chain as one that answers in the end (`Asking`), and what their answers
 * are where they are well formed. That a node has no block of a slot is an answer, and proves
 * nothing: skipped slots follow from parents, and from lists of slots that name a later one.
 */
import { Effect } from "effect"
import { steadyMillis } from "../../../src/platform/elapsed.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { BlockDetails, Certainty } from "../../../src/platform/solana-rpc.ts"
import { Asking, type CallOptions, type RetryTimes } from "../../endpoints/asking.ts"
import { EndpointPool } from "../../endpoints/endpoint-pool.ts"
import type { Account } from "../../solana/account.ts"
import { wholeNumber } from "../../solana/transaction/fields.ts"
import type { ProgramNames } from "../../solana/transaction/program-names.ts"
import type { AnsweredBlock } from "../../solana/transaction/read-answer.ts"
import type { SourceError } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import { headOf, type KnownSlot } from "./far-head.ts"
import type { Tellers } from "./tellers.ts"
import { ACCOUNT_BYTES, readToldAccounts } from "./told-accounts.ts"
import { askBlock, blockKind, type Seat, type ToldBlock, type Untold } from "./told-block.ts"
import { wrongAnswer } from "./wrong-answer.ts"

export type NodeError = RpcError | SourceError

/** What an endpoint, at a place among them, says of a slot. */
export interface View {
  readonly by: number
  /** null where it has no block of that slot */
  readonly block: AnsweredBlock | null
}

/** The block of a slot. */
export interface Placed {
  readonly slot: number
  readonly hash: string
}

/** On which of two branches an endpoint is, and how far: on none where it tells neither's end. */
export interface Side {
  readonly head: number
  readonly on: "ours" | "theirs" | null
}

const NEEDED: ReadonlySet<string> = new Set(["getSlot", "getBlock", "getBlocks", "getGenesisHash"])

/** Assumed of a slot, for what lag costs an endpoint, until the chain's own pace is measured. */
const UNMEASURED_SLOT_MS = 1000

const slotList = (value: unknown, from: number, to: number): ReadonlyArray<number> | null => {
  if (!Array.isArray(value)) return null
  const slots = value.map(wholeNumber)
  const isAscending = slots.every((slot, at) => {
    const least = at === 0 ? from : slots[at - 1]! + 1
    return slot !== null && slot >= least && slot <= to
  })
  return isAscending ? (slots as ReadonlyArray<number>) : null
}

/** What all that reads one chain knows of its branches. */
export interface Split {
  /** as many endpoints tell another chain as the log's: none bears another's word out */
  isSplit: boolean
}

export class Nodes {
  readonly asking: Asking<Seat>
  readonly status: StatusBoard<"solana-rpc">
  readonly tellers: Tellers
  private readonly names: ProgramNames
  /** the chain's genesis hash: what was asked for, else the first that an endpoint told */
  private genesis: string | null
  readonly split: Split
  /** the newest slot of which it is known that it has a block */
  known: KnownSlot = { slot: -1, timeSeconds: null }

  constructor(
    seats: ReadonlyArray<Seat>,
    status: StatusBoard<"solana-rpc">,
    names: ProgramNames,
    genesis: string | null,
    times: RetryTimes,
    { split, tellers }: Pick<Nodes, "split" | "tellers">
  ) {
    this.split = split
    const pool = new EndpointPool(seats, UNMEASURED_SLOT_MS, times.longestMs, NEEDED)
    const final = new Set<RpcError["kind"]>()
    this.asking = new Asking(pool, status, times, { identify: seat => this.identify(seat), final })
    this.status = status
    this.tellers = tellers
    this.names = names
    this.genesis = genesis
  }

  get count(): number {
    return this.asking.pool.seats.length
  }

  get labels(): ReadonlySet<string> {
    return new Set(this.asking.pool.seats.map(({ health }) => health.label))
  }

  labelOf(place: number): string {
    return this.asking.pool.seats[place]?.health.label ?? ""
  }

  /** The place of the endpoint at an address; -1 where there is none. */
  placeOf(label: string): number {
    return this.asking.pool.seats.findIndex(({ health }) => health.label === label)
  }

  /** The addresses of all endpoints but one. */
  allBut(place: number): ReadonlySet<string> {
    const labels = new Set(this.labels)
    labels.delete(this.labelOf(place))
    return labels
  }

  /** The newest slot that an endpoint is sure of. */
  head(certainty: Certainty): Effect.Effect<number, NodeError> {
    return this.asking.persist("getSlot", seat => headOf(this, seat, certainty), { isHead: true })
  }

  /** A slot has a block, as that was given out or is shown. */
  saw(known: KnownSlot): void {
    if (known.slot > this.known.slot) this.known = known
  }

  /** The slots from `from` to `to` of which an endpoint knows a block. */
  slots(
    from: number,
    to: number,
    certainty: Certainty
  ): Effect.Effect<ReadonlyArray<number>, NodeError> {
    return this.asking.persist("getBlocks", seat => this.slotsOf(seat, from, to, certainty))
  }

  /** The slots from `from` to `to` of which one endpoint knows a block. */
  slotsOf(seat: Seat, from: number, to: number, certainty: Certainty) {
    return Effect.flatMap(seat.endpoint.getBlocks(from, to, certainty), value => {
      const slots = slotList(value, from, to)
      return slots === null ? wrongAnswer(seat, "getBlocks") : Effect.succeed(slots)
    })
  }

  /** The block of a slot, of the endpoint in use, else of any that has it. */
  block(
    slot: number,
    details: BlockDetails,
    certainty: Certainty
  ): Effect.Effect<ToldBlock | Untold, NodeError> {
    return Effect.gen({ self: this }, function* () {
      const kind = blockKind(details)
      const now = yield* steadyMillis
      const [first, by] = yield* this.asking.persist(
        "getBlock",
        node =>
          Effect.map(
            this.blockOf(node, slot, details, certainty),
            told => [told, this.asking.pool.placeOf(node)] as const
          ),
        { kind, suits: label => this.keeps(label, slot, now) }
      )
      if (first._tag === "Told") return first
      let last: Untold = first
      const asked = new Set([this.labelOf(by)])
      for (let [other] = yield* this.others(asked, slot); other !== undefined; ) {
        asked.add(other.health.label)
        const told = yield* this.asking.once(kind, [other], node =>
          this.blockOf(node, slot, details, certainty)
        )
        if (told?.value._tag === "Told") {
          const words = `slot ${slot} is told as skipped, but ${other.health.label} has its block`
          if (first.skipped) yield* this.asking.distrust(by, words)
          return told.value
        }
        if (told !== null && last.gone) last = told.value
        ;[other] = yield* this.others(asked, slot)
      }
      return last
    })
  }

  /**
   * Asks endpoints other than those at these addresses for a block, one after the other until one
   * tells it; null where none does soon.
   */
  elsewhere(
    besides: ReadonlySet<string>,
    slot: number,
    details: BlockDetails,
    certainty: Certainty
  ): Effect.Effect<ToldBlock | null, SourceError> {
    return Effect.gen({ self: this }, function* () {
      const others = yield* this.others(besides, slot)
      const told = yield* this.asking.once(blockKind(details), others, node =>
        Effect.map(this.blockOf(node, slot, details, certainty), found =>
          found._tag === "Told" ? found : null
        )
      )
      return told?.value ?? null
    })
  }

  /**
   * The accounts at addresses, 100 at most, in order; null where there is none. Of those that are
   * `needed` the others are asked where the endpoint in use has them not: it may be behind.
   *
   * @param wrongIn says what is wrong in an account, which then counts as none, and is blamed on
   *   who told it; null where nothing is
   */
  accounts(
    addresses: ReadonlyArray<string>,
    needed: ReadonlySet<string>,
    wrongIn: (address: string, account: Account) => string | null,
    options: CallOptions = {}
  ): Effect.Effect<ReadonlyArray<Account | null>, NodeError> {
    const believed = (node: Seat, told: ReadonlyArray<Account | null>) =>
      this.believed(node, addresses, told, wrongIn)
    return Effect.gen({ self: this }, function* () {
      let [found, by] = yield* this.asking.persist(
        "getMultipleAccounts",
        node =>
          accountsOf(node, addresses).pipe(
            Effect.flatMap(told => believed(node, told)),
            Effect.map(told => [told, node.health.label] as const)
          ),
        options
      )
      const isMissing = () => addresses.some((one, at) => needed.has(one) && found[at] === null)
      for (const asked = new Set([by]); isMissing(); asked.add(by)) {
        const [other] = yield* this.others(asked)
        if (other === undefined) break
        by = other.health.label
        const told = yield* this.asking.once("getMultipleAccounts", [other], node =>
          Effect.flatMap(accountsIfAny(node, addresses), some => believed(node, some))
        )
        if (told !== null) found = found.map((one, at) => one ?? told.value[at] ?? null)
      }
      return found
    })
  }

  /** The accounts that one endpoint told, without those in which something is wrong. */
  private believed(
    node: Seat,
    addresses: ReadonlyArray<string>,
    told: ReadonlyArray<Account | null>,
    wrongIn: (address: string, account: Account) => string | null
  ): Effect.Effect<ReadonlyArray<Account | null>> {
    const wrong = told.map((account, at) =>
      account === null ? null : wrongIn(addresses[at] as string, account)
    )
    const [first] = wrong.filter(words => words !== null)
    const found = told.map((account, at) => (wrong[at] === null ? account : null))
    if (first === undefined) return Effect.succeed(found)
    const words = `${node.health.label}: ${first}`
    return Effect.as(this.asking.convict(this.asking.pool.placeOf(node), words), found)
  }

  /** What each endpoint that answers says of a slot. */
  views(slot: number, certainty: Certainty): Effect.Effect<ReadonlyArray<View>, SourceError> {
    return this.asking.views(blockKind("none"), node =>
      Effect.map(this.blockOf(node, slot, "none", certainty), told => ({
        by: this.asking.pool.placeOf(node),
        block: told._tag === "Told" ? told.block : null
      }))
    )
  }

  /**
   * Which of two branches each endpoint is on that answers: who tells the end of `theirs` is on
   * that one, whatever it still says of ours.
   */
  sides(ours: Placed, theirs: Placed): Effect.Effect<ReadonlyArray<Side>, SourceError> {
    return this.asking.views("getSlot and getBlock", node =>
      Effect.gen({ self: this }, function* () {
        const head = yield* headOf(this, node, "confirmed")
        const tells = ({ slot, hash }: Placed) =>
          Effect.map(
            this.blockOf(node, slot, "none", "confirmed"),
            told => told._tag === "Told" && told.block.hash === hash
          )
        if (yield* tells(theirs)) return { head, on: "theirs" } as const
        return { head, on: (yield* tells(ours)) ? "ours" : null } as const
      })
    )
  }

  /** An endpoint told what is in a block otherwise than it is: so it may have told others. */
  belie(place: number, reason: string): Effect.Effect<void> {
    return Effect.flatMap(steadyMillis, now => {
      this.tellers.lied(this.labelOf(place), now)
      return this.asking.convict(place, reason)
    })
  }

  /** Compares the endpoints, and turns to the best. */
  compare(lead: number): Effect.Effect<void, SourceError> {
    return this.asking.compare(seat => headOf(this, seat, "confirmed"), lead)
  }

  /**
   * Endpoints that do not rest, other than those at some addresses, the best first; and of a slot
   * those that may have its block.
   */
  private others(besides: ReadonlySet<string>, slot: number | null = null) {
    const { pool } = this.asking
    return Effect.map(steadyMillis, now =>
      pool.ranked(
        pool
          .awake(now)
          .filter(({ health }) => !besides.has(health.label) && health.keeps(slot, now))
      )
    )
  }

  /** Whether the endpoint at an address may have the block of a slot. */
  private keeps(label: string, slot: number, now: number): boolean {
    return this.asking.pool.seats[this.placeOf(label)]?.health.keeps(slot, now) !== false
  }

  /** What one endpoint says of the block of a slot. */
  blockOf(seat: Seat, slot: number, details: BlockDetails, certainty: Certainty) {
    const by = this.asking.pool.placeOf(seat)
    return askBlock(seat, by, slot, { details, certainty }, this.names)
  }

  private identify(seat: Seat): Effect.Effect<string | null, RpcError> {
    const { endpoint } = seat
    return Effect.flatMap(endpoint.getGenesisHash, value => {
      if (typeof value !== "string" || value === "") return wrongAnswer(seat, "getGenesisHash")
      this.genesis ??= value
      return Effect.succeed(
        value === this.genesis
          ? null
          : `${endpoint.label} serves the chain of genesis ${value.slice(0, 44)}, ` +
              `not ${this.genesis}`
      )
    })
  }
}

const accountsOf = (seat: Seat, addresses: ReadonlyArray<string>) =>
  Effect.flatMap(
    seat.endpoint.getMultipleAccounts(addresses, ACCOUNT_BYTES, "confirmed"),
    value => {
      const accounts = readToldAccounts(value, addresses.length)
      return accounts === null ? wrongAnswer(seat, "getMultipleAccounts") : Effect.succeed(accounts)
    }
  )

/** None of an endpoint that tells of no accounts, as archives do: that is no fault of it. */
const accountsIfAny = (node: Seat, addresses: ReadonlyArray<string>) =>
  Effect.catchIf(
    accountsOf(node, addresses),
    ({ kind }) => kind === "unsupported",
    () => Effect.succeed<ReadonlyArray<Account | null>>([])
  )
