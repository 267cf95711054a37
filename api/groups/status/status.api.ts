/** `GET /v1/status` and `GET /metrics`. The spec leaves both payloads open (DECISIONS.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { LANE_STATES } from "../../../engine/lane/status.ts"
import { ANY_ROUTE } from "../../errors.ts"
import { documented } from "../../parameters.ts"
import {
  Assurance,
  ChainId,
  CutoffDay,
  Milliseconds,
  MinutesCutoffDay,
  Seconds,
  VENUE_COUNTERS
} from "../fields.ts"
import { QuoteStatus } from "../quote-status.ts"

const Count = Schema.Int

const Endpoint = Schema.Struct({
  endpoint: Schema.String,
  state: Schema.Literals(["in-use", "ready", "resting", "untried"]),
  score: Schema.Finite.annotate({
    description: "what asking it costs in milliseconds: the lowest is asked first"
  }),
  latencyMs: Schema.NullOr(Schema.Finite),
  errorRate: Schema.Finite.annotate({ description: "share of failed calls, newest count most" }),
  lagBlocks: Schema.NullOr(Count).annotate({ description: "behind the best head told of" }),
  calls: Count,
  errors: Count,
  wrongAnswers: Count.annotate({ description: "answers that contradicted a proof" }),
  restMs: Count.annotate({ description: "until it is asked again" }),
  methods: Schema.Array(
    Schema.Struct({ method: Schema.String, calls: Count, errors: Count })
  ).annotate({
    description: "each of a batch counted; errors are answers that say no, and no answers"
  }),
  problem: Schema.NullOr(Schema.String)
}).annotate({ identifier: "EndpointStatus" })

const Gap = Schema.Struct({
  fromBlock: Schema.Int,
  toBlock: Schema.Int,
  reason: Schema.String.annotate({ description: "`backfill` for history that is still to be read" })
})

const History = Schema.Struct({
  order: Schema.Literals(["oldest", "newest"]),
  state: Schema.Literals(["reading", "placing", "done"]),
  fromBlock: Schema.Int,
  toBlock: Schema.Int,
  doneBlocks: Count,
  totalBlocks: Count,
  blocksPerSecond: Schema.NullOr(Schema.Finite),
  etaSeconds: Schema.NullOr(Count),
  problem: Schema.NullOr(Schema.String),
  unread: Schema.Array(Gap).annotate({
    description: "blocks that no endpoint could prove when they were tried last; tried again"
  })
}).annotate({ identifier: "HistoryStatus", description: "how far the reading of history is" })

const Repairs = Schema.Struct({
  open: Count,
  filled: Count,
  tries: Count,
  problem: Schema.NullOr(Schema.String),
  lastTry: Schema.NullOr(
    Schema.Struct({
      fromBlock: Schema.Int,
      toBlock: Schema.Int,
      atMs: Schema.Int.annotate({ description: "milliseconds since 1970" }),
      problem: Schema.NullOr(Schema.String).annotate({
        description: "why they are still missing; null where they are in the log or about to be"
      })
    })
  ).annotate({ description: "what was asked for last; the reason of a gap is that of its finding" })
}).annotate({
  identifier: "RepairStatus",
  description: "blocks that could not be proven when they came; counters since start"
})

const PIN_STATES = ["asked", "pinned", "backfilling", "complete", "incomplete", "unpinned"] as const

const Pin = Schema.Struct({
  token: Schema.String,
  state: Schema.Literals(PIN_STATES).annotate({
    description:
      "`asked`: not in the log yet; `incomplete`: what can be had is there, `problem` says what cannot; `unpinned`: whoever runs the engine took the pin back"
  }),
  addedBlock: Schema.NullOr(Schema.Int).annotate({
    description: "transfers are logged as they come from this block on"
  }),
  createdBlock: Schema.NullOr(Schema.Int).annotate({ description: "null while it is not known" }),
  floorBlock: Schema.NullOr(Schema.Int).annotate({
    description: "from here up to `addedBlock` they are in the log too"
  }),
  reachedBlock: Schema.NullOr(Schema.Int).annotate({
    description: "how far earlier ones are read, oldest first"
  }),
  complete: Schema.Boolean.annotate({
    description:
      "all blocks since the token's creation were read for its transfers; whether they are proven and explain its holders, `complete` of the holders' answer tells"
  }),
  problem: Schema.NullOr(Schema.String),
  unaudited: Schema.NullOr(Schema.String).annotate({
    description: "why holders could not be compared with the contract when that was tried last"
  })
}).annotate({ identifier: "PinStatus", description: "a token whose transfers are logged" })

export const SourceState = Schema.Literals([
  "starting",
  "backfill",
  "live",
  "retrying",
  "blocked",
  "ended",
  "stopped",
  "failed"
]).annotate({
  description:
    "`blocked` where what it reads cannot be stored for now, `stopped` for good, `failed` where it died and is started again; `problem` says why"
})

export const LaneState = Schema.Literals(LANE_STATES).annotate({
  description:
    "`stalled`: what is there is served, but something that brings new blocks fails; `history`: all of a log that no source writes, whose newest block is old on purpose"
})

const Word = Schema.Struct({
  fromBlock: Schema.Int,
  toBlock: Schema.Int,
  grade: Schema.String.annotate({
    description:
      "`second` is told by two endpoints (on Solana parent, height, time and signatures alone; what is in transactions is one's word, of which samples are compared), `logs` by one at the head, `range` by one of history, `file` by a file; `unsealed` has a header that does not give its hash"
  }),
  blocks: Count.annotate({ description: "blocks of this grade in the stretch" })
}).annotate({
  identifier: "WordRun",
  description: "a stretch with blocks that are not proven; of many the newest 100 are told"
})

const Decode = Schema.Struct({
  venues: Schema.Array(
    Schema.Struct({
      number: Schema.Int.annotate({ description: "the venue's, as in `/v1/chains/solana/status`" }),
      ...VENUE_COUNTERS
    })
  ),
  untold: Count.annotate({
    description: "changes of liquidity of which nothing tells the pool's tokens"
  }),
  orphaned: Count.annotate({ description: "blocks that were given out and taken back" }),
  auditCursor: Schema.NullOr(Schema.Int).annotate({
    description: "the block that was read again last, to compare it with what was given out"
  })
}).annotate({
  identifier: "DecodeStatus",
  description: "what decoding came to, each swap checked against the vaults; since start"
})

const Source = Schema.Struct({
  kind: Schema.Literals(["evm-rpc", "solana-rpc", "file", "devchain"]).annotate({
    description: "`devchain` is a simulated market on a local node: nothing on it is real"
  }),
  description: Schema.String,
  state: SourceState,
  problem: Schema.NullOr(Schema.String),
  waitingSinceMs: Schema.NullOr(Milliseconds).annotate({
    description: "since when something has been asked without any answer"
  }),
  headBlock: Schema.NullOr(Schema.Int),
  emittedBlock: Schema.NullOr(Schema.Int),
  logs: Count,
  quarantined: Count,
  retries: Count,
  reorgs: Count,
  lastReorgDepth: Schema.NullOr(Count).annotate({
    description: "blocks that the last reorg replaced"
  }),
  lastReorgRecoveryMs: Schema.NullOr(Schema.Finite).annotate({
    description:
      "milliseconds from when it was found until the new branch was sent on as far as the old one went; null while that lasts"
  }),
  grades: Schema.Record(Schema.String, Count).annotate({
    description:
      "blocks written since start, by how they are known: `root` and `bloom` are proven, `second` is told by two endpoints (on Solana parent, height, time and signatures alone; what is in transactions is one's word, of which samples are compared), `logs` and `range` by one, so are `receipts` that do not give the root in their header, `unsealed` has a header that does not give its hash, `unlogged` is told by two, but nobody tells the log of some transactions, `unproven` are gaps"
  }),
  senders: Schema.Struct({ proven: Count, word: Count }).annotate({
    description:
      "transactions written since start: `proven` where the block commits to their hash and their signature, or the deposit, tells who sent them; `word` where a node told it. Grades speak of logs and times, never of senders"
  }),
  endpoints: Schema.Array(Endpoint),
  decode: Schema.NullOr(Decode).annotate({
    description: "null where swaps are not checked so"
  }),
  history: Schema.NullOr(History),
  repairs: Schema.NullOr(Repairs),
  pins: Schema.Array(Pin)
}).annotate({ identifier: "SourceStatus" })

const Lag = Schema.Struct({
  events: Count.annotate({ description: "log positions that answers do not stand at yet" }),
  blocks: Schema.NullOr(Count).annotate({ description: "blocks behind the source's head" }),
  seconds: Schema.NullOr(Schema.Finite).annotate({
    description: "age of the block that answers stand at; null of a history"
  }),
  staleAfterSeconds: Schema.Finite.annotate({
    description: "age from which on the chain's data are stale: by how often it has a block"
  })
})

const VenueCheck = Schema.Struct({
  id: Schema.String,
  kind: Schema.String,
  factory: Schema.String,
  state: Schema.Literals(["proven", "refuted", "unproven"]),
  reason: Schema.String
}).annotate({
  identifier: "VenueCheck",
  description: "a venue that few sources tell of, and what the chain says; only proven ones are on"
})

const RouterCheck = Schema.Struct({
  address: Schema.String,
  name: Schema.String,
  settles: Schema.Boolean.annotate({
    description: "whether it settles orders of others: who calls it is not the trader"
  }),
  state: Schema.Literals(["proven", "refuted", "unproven"]),
  reason: Schema.String
}).annotate({
  identifier: "RouterCheck",
  description: "a router that few sources tell of, and what the chain says; only proven ones are on"
})

const QuarantinedLog = Schema.Struct({
  block: Schema.Int.annotate({ description: "number of the block; of Solana the slot" }),
  time: Seconds,
  tx: Schema.NullOr(Schema.String).annotate({
    description: "hash or signature of the transaction; null of a log of the block alone"
  }),
  account: Schema.String.annotate({ description: "who logged it; of Solana the program" }),
  reason: Schema.String.annotate({
    description:
      "of a swap that balances contradict with the vault, the difference in its smallest units, and what the swap says"
  })
}).annotate({
  identifier: "QuarantinedLog",
  description: "a log that was not read, and why: nothing is folded of it"
})

const LaneRow = Schema.Struct({
  id: ChainId,
  chain: Schema.String.annotate({ description: "key of the chain" }),
  name: Schema.String,
  simulated: Schema.Boolean.annotate({
    description:
      "the log is of a simulated chain, also while no source of it runs: nothing on it is real"
  }),
  ok: Schema.Boolean.annotate({
    description: "the tables hold what the chain has, but for the last moments"
  }),
  state: LaneState,
  problem: Schema.NullOr(Schema.String).annotate({
    description: "why `ok` is false, in words; null where it is true"
  }),
  log: Schema.NullOr(Schema.String).annotate({
    description:
      "id of the log: another one where positions may stand for other events than they did, as after a cut or a lost tail; null while none is known"
  }),
  seq: Count.annotate({ description: "log position that answers stand at" }),
  logSeq: Count.annotate({ description: "newest log position" }),
  block: Schema.NullOr(Schema.Int),
  blockTime: Schema.NullOr(Seconds),
  lag: Lag,
  retentionCutoffDay: CutoffDay,
  minutesCutoffDay: MinutesCutoffDay,
  events: Count,
  swaps: Count,
  quarantined: Schema.Array(Schema.Struct({ reason: Schema.String, count: Count })).annotate({
    description:
      "logs that were not read, by reason. On Solana also swaps that the balances of their vaults contradict: they become no facts"
  }),
  quarantinedLogs: Schema.Array(QuarantinedLog).annotate({
    description: "the newest 20 of them, newest first"
  }),
  gaps: Schema.Array(Gap),
  assurance: Schema.NullOr(Assurance),
  words: Schema.Array(Word),
  rollbacks: Count,
  lastRollbackDepth: Schema.NullOr(Count),
  memoryBytes: Count,
  projections: Schema.Array(Schema.Struct({ name: Schema.String, version: Schema.Int })),
  source: Schema.NullOr(Source),
  venueChecks: Schema.Array(VenueCheck),
  routerChecks: Schema.Array(RouterCheck),
  warnings: Schema.Array(Schema.String)
}).annotate({ identifier: "LaneStatus" })
export type LaneRow = typeof LaneRow.Type

const Measured = {
  measuredS: Schema.Int.annotate({ description: "seconds of the day that were measured" }),
  okS: Schema.Int
}

const Uptime = Schema.Struct({
  since: Seconds.annotate({ description: "the first probe" }),
  until: Seconds.annotate({ description: "the newest probe in the log: five minutes old at most" }),
  days: Schema.Array(
    Schema.Struct({
      day: Seconds.annotate({ description: "start of the UTC day" }),
      measuredS: Measured.measuredS,
      okS: Measured.okS.annotate({ description: "those in which the service answered in time" }),
      chains: Schema.Array(
        Schema.Struct({
          chain: Schema.String,
          measuredS: Measured.measuredS,
          okS: Measured.okS.annotate({
            description: "those in which `/v1/health/chains` found it well"
          })
        })
      )
    })
  ).annotate({ description: "the newest 30 with a probe, oldest first" })
}).annotate({
  identifier: "Uptime",
  description:
    "what a process beside the engine found, which asks it every few seconds (`PROBER`). Time in which that did not run either is not measured, and counts neither way"
})

const SharedStream = Schema.Struct({
  stream: Schema.String,
  seen: Count.annotate({ description: "number of the last message that this engine read" }),
  lost: Count.annotate({ description: "messages that were read and are not there any more" }),
  problem: Schema.NullOr(Schema.String).annotate({
    description: "what that means and what to do, in words; null where nothing is lost"
  })
}).annotate({
  identifier: "SharedStream",
  description:
    "a small stream that engines on one log server share: `KEYS` has the API keys, `QUOTES` the secret that seals quotes, `PROBES` what uptime is told of. What is lost is told until it is there again, or the engine is started again"
})

export const Status = Schema.Struct({
  engine: Schema.String,
  startedAt: Seconds,
  uptimeSeconds: Schema.Int,
  lanes: Schema.Array(Schema.Struct({ ...LaneRow.fields, quotes: QuoteStatus })),
  uptime: Schema.NullOr(Uptime).annotate({ description: "null while nothing is measured" }),
  streams: Schema.Array(SharedStream),
  updatedAt: Milliseconds
}).annotate({ identifier: "Status", description: "every lane as it stands" })
export type Status = typeof Status.Type

const MetricsText = Schema.String.pipe(
  HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4; charset=utf-8" })
).annotate({ description: "metrics in Prometheus' text format" })

export const StatusApi = HttpApiGroup.make("status")
  .add(
    HttpApiEndpoint.get("getStatus", "/v1/status", {
      success: Status,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "server",
        tool: "status",
        summary: "Status of every lane",
        description:
          "Position in log and chain, lag, source, quarantined logs by reason, open gaps and rollbacks. Never cached."
      })
    ),
    HttpApiEndpoint.get("getMetrics", "/metrics", {
      success: MetricsText,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "server",
        tool: { none: "text for Prometheus; swaptape_status has the same figures as JSON" },
        summary: "Metrics for Prometheus",
        description: "The numbers of `/v1/status` and the server's own counters."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Status", description: "How the lanes fare" }))
