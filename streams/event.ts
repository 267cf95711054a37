/**
 * The vocabulary of the log: facts as observed on a chain, past tense, complete in themselves.
 * Prices, dollars and flags are a projection's opinion and never stand here.
 *
 * Each kind is declared once, as a list of typed columns. Everything else follows from this table:
 * the columnar batch (`batch/`), the codec (`codec/`) and events as objects (`event-objects.ts`).
 * A kind's id and the order and type of its columns are part of the stored format: add columns at
 * the end and raise `EVENT_SCHEMA_VERSION`. Older segments stay readable: a column they do not have
 * is null, a kind they do not have has no rows (`codec/segment-codec.ts`).
 */

/** Version of the columns below, written in every segment. */
export const EVENT_SCHEMA_VERSION = 14

/**
 * How a column is held and stored:
 * - `id`, `idOpt`: account or hash (32 bytes) of the batch's id table; `ids`: a list
 * - `uint`, `uintOpt`, `int`, `intOpt`: exact integer up to 256 bits; `int` is signed
 * - `i32Opt`: signed 32-bit or null; `num`: non-negative integer up to 2^53 (block numbers, seqs)
 * - `sym`: short repeated text (venue kinds, reasons); `textOpt`: free text or null
 * - `bytes`: raw bytes
 */
export type ColumnType =
  | "id"
  | "idOpt"
  | "ids"
  | "uint"
  | "uintOpt"
  | "int"
  | "intOpt"
  | "i32Opt"
  | "num"
  | "sym"
  | "textOpt"
  | "bytes"

export interface KindSpec {
  readonly id: number
  readonly columns: { readonly [name: string]: ColumnType }
}

const kinds = <const K extends { readonly [kind: string]: KindSpec }>(table: K): K => table

export const eventKinds = kinds({
  /** A block is complete: every event of it stands before this one. Number, hash, parent and time
   *  are those of the block itself; `grade` says how completeness was proven. */
  BlockSealed: { id: 1, columns: { logs: "num", grade: "sym" } },
  /** A pool exists. `tokens` in pool order. `source` is `log` (its factory's event), `call` (read
   *  from the contract) or `create2` (address re-computed from factory, tokens and fee). */
  PoolCreated: {
    id: 2,
    columns: {
      pool: "id",
      venueKind: "sym",
      factory: "idOpt",
      tokens: "ids",
      /** 1e-6 of the input, null where the venue has no fixed one */
      fee: "i32Opt",
      tickSpacing: "i32Opt",
      source: "sym"
    }
  },
  /** V3-shaped pools: the first price. */
  PoolInitialized: { id: 3, columns: { pool: "id", sqrtPriceX96: "uint", tick: "i32Opt" } },
  /** A swap. Amounts are what the pool received (In) and paid (Out) of its token 0 and token 1, in
   *  raw units. `sqrtPriceX96`, `liquidity`, `tick` are the pool's state after the swap where the
   *  venue's event tells them. `token0`/`token1`: which tokens where the event itself names them;
   *  `index0`/`index1`: their places in the pool's list where it has more than two; -1 - place for
   *  a coin of another list (underlying coins). */
  SwapExecuted: {
    id: 4,
    columns: {
      pool: "id",
      venueKind: "sym",
      sender: "idOpt",
      recipient: "idOpt",
      amount0In: "uint",
      amount0Out: "uint",
      amount1In: "uint",
      amount1Out: "uint",
      sqrtPriceX96: "uintOpt",
      liquidity: "uintOpt",
      tick: "i32Opt",
      /** fee taken by this swap in 1e-6 where the event tells it */
      fee: "i32Opt",
      token0: "idOpt",
      token1: "idOpt",
      index0: "i32Opt",
      index1: "i32Opt"
    }
  },
  /** V2-shaped pools: reserves after any change, a swap among them. Where it belongs to a swap it
   *  stands ahead of the `SwapExecuted`. Prices read it as reserve 1 over reserve 0, and weigh the
   *  pool by it: what else a kind's reserves mean it declares (`reserves` in `venue.ts`). */
  ReservesSynced: { id: 5, columns: { pool: "id", reserve0: "uint", reserve1: "uint" } },
  /** Liquidity added (positive) or removed (negative). Ticks where it is a range; `liquidity` null
   *  where the event does not tell it (V2). Amounts are signed as the pool sees them. */
  LiquidityChanged: {
    id: 6,
    columns: {
      pool: "id",
      venueKind: "sym",
      owner: "idOpt",
      sender: "idOpt",
      tickLower: "i32Opt",
      tickUpper: "i32Opt",
      liquidity: "intOpt",
      amount0: "int",
      amount1: "int"
    }
  },
  /** Tokens owed to a position were paid out (V3 Collect). */
  FeesCollected: {
    id: 7,
    columns: {
      pool: "id",
      owner: "idOpt",
      recipient: "idOpt",
      tickLower: "i32Opt",
      tickUpper: "i32Opt",
      amount0: "uint",
      amount1: "uint"
    }
  },
  /** What a token says of itself, each time it was read. Null is what could not be read; never a
   *  default.
   *  `source`: `call`, `file` or `registry`. */
  TokenSeen: {
    id: 8,
    columns: {
      token: "id",
      symbol: "textOpt",
      name: "textOpt",
      decimals: "i32Opt",
      totalSupply: "uintOpt",
      source: "sym"
    }
  },
  /** The chain (or a late import) replaced everything after `toSeq`, the last event of `toBlock`.
   *  `toSeq` 0 means from the very beginning. `reason`: `reorg`, `late-import`, or `torn-block`
   *  (the log's own: a block whose end was never written). */
  Rollback: {
    id: 9,
    columns: { toSeq: "num", toBlock: "num", toHash: "idOpt", fromBlock: "num", reason: "sym" }
  },
  /** Blocks `fromBlock..toBlock` could not be proven complete. */
  GapFound: { id: 10, columns: { fromBlock: "num", toBlock: "num", reason: "sym" } },
  GapFilled: { id: 11, columns: { fromBlock: "num", toBlock: "num" } },
  /** A log of a watched topic that does not decode, kept whole with the reason. */
  LogQuarantined: {
    id: 12,
    columns: { address: "id", topics: "bytes", data: "bytes", reason: "sym" }
  },
  /** A number that a pool's swaps depend on was set or told: `name` is the venue's own word for it
   *  (`stable`, `hooks`, `fee`, `A`, `gamma`, `binStep`, ...), `index` its place in a list. Names
   *  that mean the same in every kind: `pool-parameters.ts`. */
  PoolParameterSet: {
    id: 13,
    columns: { pool: "id", name: "sym", index: "i32Opt", value: "int" }
  },
  /** Liquidity of one token added (positive) or removed, in pools of more than two tokens; one
   *  event a token. `index`: its place in the pool's list, `token` where the event names it.
   *  `reason`: `liquidity`, `fee` (taken out of the pool), or the venue's own word. */
  ReserveChanged: {
    id: 14,
    columns: {
      pool: "id",
      venueKind: "sym",
      owner: "idOpt",
      token: "idOpt",
      index: "i32Opt",
      amount: "int",
      reason: "sym"
    }
  },
  /** A position of a position manager changed. `change`: `increase`, `decrease`, `collect`, or
   *  `transfer` (`owner` is the new one; the zero address burns). Liquidity and amounts signed as
   *  the position sees them; null where the event does not tell them. */
  PositionChanged: {
    id: 15,
    columns: {
      manager: "id",
      tokenId: "uint",
      change: "sym",
      pool: "idOpt",
      owner: "idOpt",
      recipient: "idOpt",
      tickLower: "i32Opt",
      tickUpper: "i32Opt",
      liquidity: "intOpt",
      amount0: "intOpt",
      amount1: "intOpt"
    }
  },
  /** Raw units of a pinned token moved between holders; mints come from and burns go to address
   *  zero. `wrap` is 1 where a wrapped native token told so by `Deposit` or `Withdrawal`: then what
   *  went to address zero is not what that address has. */
  TransferSeen: {
    id: 16,
    columns: { token: "id", from: "id", to: "id", amount: "uint", wrap: "i32Opt" }
  },
  /** In this transaction an entry point begins to execute operations of accounts: what they do is
   *  logged after this. Told where something of it is. */
  OperationsBegun: { id: 17, columns: { entryPoint: "id" } },
  /** An account's operation that somebody else sent ended: what it did was logged before this, and
   *  after the end of the one before or `OperationsBegun`. `paymaster` settles there too.
   *  `succeeded`: 1, or 0 where its call was undone. */
  OperationExecuted: {
    id: 18,
    columns: { entryPoint: "id", account: "id", paymaster: "idOpt", succeeded: "num" }
  },
  /** A payment of a pool was followed: by the pool's event it sent so much to the recipient, by the
   *  token's own so much arrived. */
  TransferChecked: {
    id: 19,
    columns: { token: "id", pool: "id", transaction: "id", sent: "uint", received: "uint" }
  },
  /** From the block this stands in on, every transfer of the token is in the log. */
  TokenPinned: { id: 20, columns: { token: "id" } },
  /** The transfers of a pinned token in blocks `fromBlock..toBlock` are in the log. `reach` tells
   *  what lies before them: `creation` or `genesis`: nothing, since the token has no code there, or
   *  the chain no block; `floor`: what nobody reads, since when it was created cannot be told;
   *  `part`: something else tells. `grade` is that of the least known of the blocks that were read,
   *  or `nothing` where none had to be; null in logs of before version 8, which do not tell it. */
  TransfersFilled: {
    id: 21,
    columns: {
      token: "id",
      fromBlock: "num",
      toBlock: "num",
      reach: "sym",
      grade: "textOpt"
    }
  },
  /** Events `firstSeq..lastSeq` of the chain's side log (`PINS_<KEY>`) count from here on: they are
   *  of earlier blocks, and read when this was the newest one. `hash` is that of the segment they
   *  end with, which vouches for them and all before. */
  EventsJoined: { id: 22, columns: { firstSeq: "num", lastSeq: "num", hash: "id" } },
  /** From the block this stands in on, the log holds no transfers of the token, and those of before
   *  count no more. A later `TokenPinned` begins anew. */
  TokenUnpinned: { id: 23, columns: { token: "id" } },
  /** What the contract of a pinned token said that some addresses have, as of the end of a block
   *  that this one continues: none of them moved any since. `balances` has 32 bytes for each. */
  HoldersAudited: {
    id: 24,
    columns: {
      token: "id",
      auditedBlock: "num",
      auditedHash: "id",
      holders: "ids",
      balances: "bytes"
    }
  },
  /** Of blocks `fromBlock..toBlock`, so many that were sealed with the grade `was` were read again,
   *  with the same logs: how these are known is `grade` now. */
  BlocksProven: {
    id: 25,
    columns: { fromBlock: "num", toBlock: "num", blocks: "num", was: "sym", grade: "sym" }
  },
  /** In a chain's fact log (`FACTS_<KEY>`): the chain has proven that a venue of the registry that
   *  too few sources tell of is there. Its block is the newest one then. */
  VenueProven: {
    id: 26,
    columns: { venue: "sym", venueKind: "sym", factory: "id", reason: "textOpt" }
  },
  /** In a chain's fact log: a contract stands where too few sources say that a router does.
   *  `settles`: 1 where it settles orders of others, so that whoever calls it does not trade. */
  RouterProven: {
    id: 27,
    columns: { router: "id", name: "sym", settles: "num", reason: "textOpt" }
  },
  /** In a chain's fact log: the chain is a simulated one, whose contracts (routers among them) are
   *  those of the network of that name. */
  ChainSimulated: { id: 32, columns: { network: "sym" } },
  /** What a pool's contracts answered about its state at the end of block `readBlock`, which this
   *  block continues, to the questions of its kind (`StateRead` in `venue.ts`): read where events
   *  before the log's first made the state. `answers`: see `state-answers.ts`. */
  PoolStateRead: {
    id: 28,
    columns: {
      pool: "id",
      venueKind: "sym",
      readBlock: "num",
      /** Unix seconds */
      readTime: "num",
      readHash: "id",
      answers: "bytes"
    }
  },
  /** Of the swap that stands before this one in its transaction: why balances of its pool's vaults
   *  do not bear it out. `verdict`: `unchecked`, they cannot tell. A swap that they contradict is
   *  quarantined; logs of before that was so have it with `bad`. Only chains whose nodes tell
   *  balances have it; there a swap without one is what they say. */
  SwapDoubted: { id: 30, columns: { pool: "id", verdict: "sym", reason: "sym" } },
  /** Of the change of liquidity, or payment of fees, that stands right before this one: which of
   *  its owner's positions it is of, as the venue names positions (an account, or a mint). */
  PositionNamed: { id: 31, columns: { pool: "id", position: "id" } },
  /** In a chain's trade log (`TRADE_<KEY>`): the circuit breaker of a third-party aggregator went
   *  to `state` (`closed`, `open`, `half-open`), by the engine's clock. `cause`: why it opened;
   *  null where it did not. Its block is the newest one then. */
  BreakerMoved: {
    id: 29,
    columns: {
      provider: "sym",
      state: "sym",
      cause: "textOpt",
      /** Unix milliseconds: when it moved, and until when it is open; null where it is not */
      atMs: "num",
      untilMs: "uintOpt",
      /** milliseconds that it is open for, which the next opening doubles; null where closed */
      coolDownMs: "uintOpt"
    }
  }
})

export type EventKinds = typeof eventKinds
export type EventKind = keyof EventKinds

/** The value of one column in an event object. */
export type ColumnValue<T extends ColumnType> = T extends "id"
  ? string
  : T extends "idOpt" | "textOpt"
    ? string | null
    : T extends "ids"
      ? ReadonlyArray<string>
      : T extends "uint" | "int"
        ? bigint
        : T extends "uintOpt" | "intOpt"
          ? bigint | null
          : T extends "i32Opt"
            ? number | null
            : T extends "num"
              ? number
              : T extends "sym"
                ? string
                : Uint8Array

export type EventFields<K extends EventKind> = {
  readonly [C in keyof EventKinds[K]["columns"]]: EventKinds[K]["columns"][C] extends ColumnType
    ? ColumnValue<EventKinds[K]["columns"][C]>
    : never
}

/** The block an event belongs to. Hashes are null where the source (a file of logs) has none. */
export interface BlockRef {
  readonly number: number
  /** Unix seconds, the block's own */
  readonly time: number
  readonly hash: string | null
  readonly parentHash: string | null
}

/** The transaction an event was logged in; null on events that no transaction caused. */
export interface TxRef {
  readonly hash: string
  readonly index: number
  readonly from: string | null
  readonly to: string | null
}

/** One event as an object: the form of tests, tools and `log cat`; hot paths read batches. */
export type Event = {
  [K in EventKind]: {
    readonly kind: K
    readonly block: BlockRef
    readonly tx: TxRef | null
    /** position in the block's logs; 0 where `tx` is null */
    readonly logIndex: number
  } & EventFields<K>
}[EventKind]

export type EventOf<K extends EventKind> = Extract<Event, { kind: K }>
