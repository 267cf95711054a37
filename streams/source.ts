/**
 * What a source of events fulfils. A source turns facts outside into batches that end at block
 * boundaries, in order (block, transaction, log), each block closed by a `BlockSealed`. A reorg is
 * a batch whose first event is `Rollback` (its `toSeq` is filled in by the log). The engine
 * appends each batch as one segment before it pulls the next.
 */
import type { Effect, Stream } from "effect"
import { Schema } from "effect"
import type { EventBatch } from "./batch/batch.ts"
import type { TokenFact } from "./facts.ts"
import type { KnownAddress } from "./known-set.ts"
import type { PoolFacts } from "./venue.ts"

/** A sealed block of the log; its time (Unix seconds) and last event's seq where they are known. */
export interface LogBlock {
  readonly number: number
  readonly hash: string | null
  readonly time?: number
  readonly seq?: number
}

/** A pool whose bins are so many basis points apart, and the first block that tells it. */
export interface KnownStep {
  readonly pool: string
  readonly step: number
  readonly block: number
}

/** Which hashes of a chain were seen to be made as known here: of headers, and of receipts. */
export interface HashesFit {
  readonly headers: boolean
  readonly receipts: boolean
}

/** Where the log ends: what a source needs to continue it. */
export interface LogTail {
  /** the last sealed blocks, oldest first, at least down to the finality depth; empty if new */
  readonly blocks: ReadonlyArray<LogBlock>
  /** pools and tokens whose facts already stand in the log, lower-case addresses */
  readonly knownPools: ReadonlyArray<string>
  readonly knownTokens: ReadonlyArray<string>
  /** the newest of these that nothing was read of; their decimals came with a block, or not yet */
  readonly unread?: ReadonlyArray<Pick<TokenFact, "token" | "decimals">>
  /** none where absent */
  readonly binSteps?: ReadonlyArray<KnownStep>
  /** tokens that the log says are pinned, and in which block it does; none where absent */
  readonly pinned?: ReadonlyArray<KnownAddress>
  /** tokens whose pin was taken back, and the block that says so; none where absent */
  readonly unpinned?: ReadonlyArray<KnownAddress>
  /** the last `count` sealed blocks at or before a number, oldest first, as the log stands now;
   *  none where it has none. Absent where `blocks` are all there is */
  readonly older?: (
    atMost: number,
    count: number
  ) => Effect.Effect<ReadonlyArray<LogBlock>, SourceError>
}

/** What tables know of a log's pools and tokens. */
export type KnownFacts = Required<
  Pick<LogTail, "knownPools" | "knownTokens" | "unread" | "binSteps">
>

export const NO_FACTS: KnownFacts = { knownPools: [], knownTokens: [], unread: [], binSteps: [] }

export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  /** what was asked for, of whom, and what came back */
  message: Schema.String,
  /** true where trying again cannot help: the lane stops and shows the message */
  fatal: Schema.Boolean
}) {}

/** How one endpoint of a source fares; counters since start. */
export interface EndpointStatus {
  /** host and port, nothing secret */
  readonly endpoint: string
  /** `resting` after failures, for `restMs`; `untried` before its first answer */
  readonly state: "in-use" | "ready" | "resting" | "untried"
  /** what asking it costs in milliseconds: the lowest is asked first */
  readonly score: number
  readonly latencyMs: number | null
  /** share of calls that fail, the newest counting most */
  readonly errorRate: number
  /** behind the best head that any endpoint told of */
  readonly lagBlocks: number | null
  readonly calls: number
  readonly errors: number
  /** answers that contradicted a proof */
  readonly wrongAnswers: number
  readonly restMs: number
  /** calls of each method, each of a batch counted, and those that gave an error or nothing */
  readonly methods: ReadonlyArray<{
    readonly method: string
    readonly calls: number
    readonly errors: number
  }>
  /** why its last call failed; null when it did not */
  readonly problem: string | null
}

/** How far the reading of history is. */
export interface HistoryStatus {
  readonly order: "oldest" | "newest"
  /** `reading`, `placing` (what was read is put into the log), or `done` */
  readonly state: "reading" | "placing" | "done"
  /** blocks that were or are to be read since start */
  readonly fromBlock: number
  readonly toBlock: number
  readonly doneBlocks: number
  readonly totalBlocks: number
  readonly blocksPerSecond: number | null
  readonly etaSeconds: number | null
  readonly problem: string | null
  /** blocks that no endpoint could prove when they were tried last, and why; by the first */
  readonly unread: ReadonlyArray<Gap>
}

/** What became of blocks that could not be proven when they came; counters since start. */
export interface RepairStatus {
  readonly open: number
  readonly filled: number
  readonly tries: number
  /** why the last try failed; null where it did not */
  readonly problem: string | null
  /** the blocks that were asked for last, when that ended, and why it failed if it did */
  readonly lastTry: RepairTry | null
}

export interface RepairTry extends BlockRange {
  /** milliseconds since 1970 */
  readonly atMs: number
  readonly problem: string | null
}

/** How far the transfers of a pinned token are in the log. */
export interface PinStatus {
  readonly token: string
  /**
   * `asked`: the log does not say so yet; `pinned`: transfers come, those of before are to be read;
   * `backfilling`: they are read; `complete`: the log holds all since the token's creation;
   * `incomplete`: it holds all that can be had, and `problem` tells why that is not all;
   * `unpinned`: the pin was taken back
   */
  readonly state: "asked" | "pinned" | "backfilling" | "complete" | "incomplete" | "unpinned"
  /** the block from which on transfers are logged as they come */
  readonly addedBlock: number | null
  /** the block in which the token's code began; null where that is not known */
  readonly createdBlock: number | null
  /** transfers from this block up to `addedBlock` are in the log */
  readonly floorBlock: number | null
  /** how far the reading of earlier ones is, from the first block on */
  readonly reachedBlock: number | null
  readonly complete: boolean
  readonly problem: string | null
  /** why holders could not be compared with the contract when that was tried last; else null */
  readonly unaudited: string | null
}

/** What decoding came to where each swap is checked against the vaults; counters since start. */
export interface DecodeStatus {
  /** by the venue's number */
  readonly venues: ReadonlyArray<{
    readonly number: number
    readonly events: number
    readonly swaps: number
    readonly ok: number
    readonly bad: number
    readonly unchecked: number
    readonly noParent: number
    readonly otherEvents: number
  }>
  /** changes of liquidity of which nothing tells the pool's mints */
  readonly untold: number
  /** blocks that were given out and taken back */
  readonly orphaned: number
  /** the block that was read again last, to compare it with what was given out; null for none */
  readonly auditCursor: number | null
}

/** The kinds of sources that lanes read. */
type LaneSourceKind = "evm-rpc" | "solana-rpc" | "file" | "devchain"

/** What `/status` tells of a source; counters since start. */
export interface SourceStatus<Kind = LaneSourceKind> {
  readonly kind: Kind
  /** RPC hosts without credentials, file names, or the devchain's description */
  readonly description: string
  /**
   * `blocked`: what it reads cannot be stored for now; `stopped` is for good; `failed`: it died and
   * is started again; `problem` says why
   */
  readonly state:
    | "starting"
    | "backfill"
    | "live"
    | "retrying"
    | "blocked"
    | "ended"
    | "stopped"
    | "failed"
  readonly problem: string | null
  /** why answers did not fit together since the newest block; null where all did */
  readonly unfit: string | null
  /** since when no question has been answered (ms since 1970); null where none is open */
  readonly waitingSinceMs: number | null
  /** newest block the source has heard of, and the newest it has emitted */
  readonly headBlock: number | null
  readonly emittedBlock: number | null
  /** when an endpoint last told which block is the newest (ms since 1970); null before the first */
  readonly headToldMs: number | null
  readonly logs: number
  readonly quarantined: number
  readonly retries: number
  readonly reorgs: number
  /** blocks that the last reorg replaced; null before the first */
  readonly lastReorgDepth: number | null
  /**
   * how long it took, from when it was found until the new branch was sent on as far as the old one
   * went, milliseconds; null before the first, and while one is under way
   */
  readonly lastReorgRecoveryMs: number | null
  /** blocks written, by how they are known to be complete (see `TapeWriter.endBlock`) */
  readonly grades: { readonly [grade: string]: number }
  /** transactions written whose hash and sender their block commits to, and those of which a node
   *  told them */
  readonly senders: { readonly proven: number; readonly word: number }
  readonly endpoints: ReadonlyArray<EndpointStatus>
  /** null where blocks are not decoded with such checks */
  readonly decode: DecodeStatus | null
  /** null where no history is read */
  readonly history: HistoryStatus | null
  readonly repairs: RepairStatus | null
  readonly pins: ReadonlyArray<PinStatus>
  /** what readers of the chain's data should know for a while, in sentences */
  readonly warnings: ReadonlyArray<string>
  /** those of them that stay until a block is read, also where the source is started again */
  readonly warned: ReadonlyArray<Warned>
  /**
   * why nobody knows whether the log is on the chain's branch: as many endpoints tell another one,
   * or more; null where that is known
   */
  readonly disputed: string | null
}

/** What readers should know until a block is sent on. */
export interface Warned {
  readonly text: string
  /** of which only the newest is told; null where each is */
  readonly kind: string | null
  readonly untilBlock: number
}

/** Blocks of a chain, both ends included. */
export interface BlockRange {
  readonly fromBlock: number
  readonly toBlock: number
}

/** Blocks that the log does not hold, or not for certain, and why. */
export interface Gap extends BlockRange {
  readonly reason: string
}

/** The reason of a gap that is history still to be read. */
export const BACKFILL_GAP = "backfill"

/** The reason of a gap of blocks in which one may be told falsely that told others so. */
export const DOUBTED_GAP = "an endpoint that told other blocks falsely told what is in these"

/** How blocks of the past are read: by ranges, or each with a proof that must not fail. */
export type LateReading = "ranges" | "proofs"

/** Where a token began: `absent` where it has no code yet, `untold` where no node can say. */
export type Creation =
  | { readonly state: "created"; readonly block: number }
  | { readonly state: "absent" }
  | { readonly state: "untold"; readonly reason: string }

/** What addresses have of a token at a block with this hash, in their order. */
export type Balances =
  | { readonly state: "told"; readonly hash: string; readonly balances: ReadonlyArray<bigint> }
  | { readonly state: "untold"; readonly reason: string }

/** How tokens are pinned: all transfers of them are logged from then on. */
export interface Pinning {
  /** asks for the transfers of tokens, in lower case; the first block that has them says so */
  readonly ask: (tokens: ReadonlyArray<string>) => void
  /** every token that was asked for or that the log says is pinned */
  readonly asked: () => ReadonlyArray<string>
  /** tokens that are not to be pinned: where the log says that they are, its next block takes it
   *  back */
  readonly refused: ReadonlySet<string>
  /** the block in which a token's code began, not after `atMost` */
  readonly creation: (token: string, atMost: number) => Effect.Effect<Creation, SourceError>
  /** the hash of a block of the chain as it is now; null where no node has the block */
  readonly hashOf: (block: number) => Effect.Effect<string | null, SourceError>
  /** what the token's contract says that addresses have at the end of a block */
  readonly balances: (
    token: string,
    holders: ReadonlyArray<string>,
    block: number
  ) => Effect.Effect<Balances, SourceError>
}

/** A pool whose state is to be read from its contracts, with what its log tells of it. */
export interface WantedState {
  readonly venueKind: string
  readonly factory: string | null
  readonly facts: PoolFacts
}

/** What it gives in batches is events in columns for every source that lanes read. */
export interface Source<Batch = EventBatch, Kind = LaneSourceKind> {
  /** asks that states of pools be read and logged, as far as the source can; null where none can */
  readonly readStates: ((wanted: ReadonlyArray<WantedState>) => void) | null
  /** never ends for a live source; ends after the last block for a file */
  readonly batches: (tail: LogTail) => Stream.Stream<Batch, SourceError>
  readonly status: () => SourceStatus<Kind>
  /**
   * Final blocks of the past, each batch as above, after the tail up to the range's end; the first
   * and the last block of the range are sealed whatever they hold. Null where the source has none.
   * With `only` nothing but transfers of these tokens; a new reading says that they are pinned.
   */
  readonly past:
    | ((
        range: BlockRange,
        tail: LogTail,
        reading: LateReading,
        only?: ReadonlyArray<string>
      ) => Stream.Stream<Batch, SourceError>)
    | null
  /** null where the source cannot be asked for more than it gives */
  readonly pinning: Pinning | null
}
