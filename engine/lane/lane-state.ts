/**
 * The states of a lane, and all the ways from one to another. What is not listed here cannot
 * happen: an event in a state that does not know it is a bug, of which the lane's thread dies. The
 * lane opens its tables, folds what it is behind of the log, is live, rolls back when the chain
 * does, and waits where its disk or its log fails it.
 */
import type { Signal } from "../runner/signal.ts"
import type { LaneStatus } from "./status.ts"

/** The states, each with the word that `/v1/status` has for it. */
export const LANE_WORDS = {
  /** no tables have been followed yet */
  opening: "starting",
  /** behind the log, with tables that no reader has */
  rebuilding: "rebuilding",
  /** behind the log, with tables that readers have */
  "catching-up": "catching-up",
  /** at the head of the log */
  live: "live",
  /** at the head of the log, of which the newest part is being taken back */
  "rolling-back": "live",
  /** readers keep tables that do not follow the log, while others are made beside them */
  remaking: "catching-up",
  /** nothing can be written: readers keep what they have, and writing goes on by itself */
  "waiting-for-room": "failed",
  /** the log cannot be read on: readers keep what they have, and it is tried again */
  "waiting-for-log": "failed",
  /** the tables broke too often, or their files cannot be used: a person has to look */
  failed: "failed"
} as const satisfies Record<string, LaneStatus["state"]>

export type LanePhase = keyof typeof LANE_WORDS

/** What happens to a lane. Those with a problem say it to users. */
export type LaneEvent =
  | {
      readonly type:
        | "RebuildBegan"
        | "CatchUpBegan"
        | "CaughtUp"
        | "RollbackBegan"
        | "RollbackEnded"
        | "TablesForgotten"
    }
  | {
      readonly type: "RemakeBegan" | "RemakeFailed" | "RoomWanted" | "LogFailed" | "GaveUp"
      readonly problem: string
    }

interface Transition {
  readonly on: LaneEvent["type"]
  readonly from: ReadonlyArray<LanePhase>
  readonly to: LanePhase
  readonly why: string
}

/** A lane that gave up does nothing more; any other may begin to follow the log, or stop. */
const ANY: ReadonlyArray<LanePhase> = [
  ...(["opening", "rebuilding", "catching-up", "live", "rolling-back", "remaking"] as const),
  ...(["waiting-for-room", "waiting-for-log"] as const)
]

/** All transitions. A state and an event stand in one of them at most. */
export const TRANSITIONS: ReadonlyArray<Transition> = [
  {
    on: "RebuildBegan",
    from: ANY,
    to: "rebuilding",
    why: "The log is followed into tables that no reader has: new, restored or made beside others."
  },
  {
    on: "CatchUpBegan",
    from: ANY,
    to: "catching-up",
    why: "The log is followed into the tables that readers had, whatever ended the time before."
  },
  {
    on: "CaughtUp",
    from: ["rebuilding", "catching-up"],
    to: "live",
    why: "The tables hold all that the log held when following began, and readers have them."
  },
  {
    on: "RollbackBegan",
    from: ["live"],
    to: "rolling-back",
    why: "The log takes its newest part back, and the tables go back to the fork in place."
  },
  {
    on: "RollbackBegan",
    from: ["rebuilding"],
    to: "rebuilding",
    why: "Behind the head a rollback is one more part of the log; no reader has the tables."
  },
  {
    on: "RollbackBegan",
    from: ["catching-up"],
    to: "catching-up",
    why: "Behind the head a rollback is one more part of the log; readers wait for its commit."
  },
  {
    on: "RollbackEnded",
    from: ["rolling-back"],
    to: "live",
    why: "The other branch is folded and committed."
  },
  {
    on: "RollbackEnded",
    from: ["rebuilding"],
    to: "rebuilding",
    why: "The rest of the log is still to be folded."
  },
  {
    on: "RollbackEnded",
    from: ["catching-up"],
    to: "catching-up",
    why: "The rest of the log is still to be folded."
  },
  {
    on: "RemakeBegan",
    from: ANY,
    to: "remaking",
    why: "The log is another one, or takes back too much: new tables are made beside the old."
  },
  {
    on: "RemakeFailed",
    from: ["remaking"],
    to: "remaking",
    why: "Readers keep the old tables, and making new ones is tried again."
  },
  {
    on: "TablesForgotten",
    from: ANY,
    to: "rebuilding",
    why: "The tables are broken or of another version: readers have none until new ones stand."
  },
  {
    on: "RoomWanted",
    from: ANY,
    to: "waiting-for-room",
    why: "A write found no room; what is written is good."
  },
  {
    on: "LogFailed",
    from: ANY,
    to: "waiting-for-log",
    why: "The log could not be read on; all before that is folded and committed."
  },
  {
    on: "GaveUp",
    from: ANY,
    to: "failed",
    why: "Replacing the tables did not help, or their files cannot be used at all."
  }
]

/** The state of a lane with what is wrong, in words for users; null where nothing is. */
export interface LaneSituation {
  readonly phase: LanePhase
  readonly problem: string | null
}

const OPENING: LaneSituation = { phase: "opening", problem: null }

/** The transition that an event causes in a state; none where it cannot come. */
const transitionOf = (phase: LanePhase, on: LaneEvent["type"]): Transition | undefined =>
  TRANSITIONS.find(one => one.on === on && one.from.includes(phase))

/** Forgetting tables, and rolling back, say nothing of what was wrong before. */
const problemAfter = (problem: string | null, event: LaneEvent): string | null => {
  if ("problem" in event) return event.problem
  const isSilent = event.type === "TablesForgotten" || event.type.startsWith("Rollback")
  return isSilent ? problem : null
}

/** The situation after an event; throws where the event cannot come. */
export const situationAfter = (
  { phase, problem }: LaneSituation,
  event: LaneEvent
): LaneSituation => {
  const transition = transitionOf(phase, event.type)
  if (transition === undefined) throw new Error(`${event.type} cannot come to a lane in ${phase}`)
  return { phase: transition.to, problem: problemAfter(problem, event) }
}

/** Is given each transition of a lane, as it happens. */
export type ObserveLane = (from: LanePhase, event: LaneEvent, to: LanePhase) => void

const MAX_WARNINGS = 20

/** What is warned of only while it lasts. */
export type Passing = "unmerged" | "no snapshot" | "no file" | "folding again"

interface Warning {
  readonly text: string
  /** null of what has happened, which stays said */
  readonly of: Passing | null
}

/** What a lane's worker knows of itself, or of tables that it makes beside those of readers. */
export class LaneState {
  private situation = OPENING
  /** rung after each event */
  readonly changed: Signal
  private readonly observe: ObserveLane
  /** newest position in the log, as far as it was heard of */
  logSeq = 0
  /** frames up to this position have gone out, perhaps before their commit */
  told = 0
  /** the newest, oldest first */
  private readonly kept: Array<Warning>
  /** keys of each channel of which somebody wants frames */
  readonly wanted: Map<string, Set<string>>

  constructor(
    changed: Signal,
    observe: ObserveLane = () => {},
    kept: Array<Warning> = [],
    wanted: LaneState["wanted"] = new Map()
  ) {
    this.changed = changed
    this.observe = observe
    this.kept = kept
    this.wanted = wanted
  }

  get phase(): LanePhase {
    return this.situation.phase
  }

  get problem(): string | null {
    return this.situation.problem
  }

  /** what `/v1/status` calls the state */
  get word(): LaneStatus["state"] {
    return LANE_WORDS[this.phase]
  }

  /** Whether readers are told what is new as it is committed. */
  get isLive(): boolean {
    return this.phase === "live" || this.phase === "rolling-back"
  }

  /** Notes what happened to the lane. */
  post(event: LaneEvent): void {
    const { phase } = this
    this.situation = situationAfter(this.situation, event)
    if (event.type === "CaughtUp") this.takeBack("folding again")
    this.observe(phase, event, this.phase)
    this.changed.ring()
  }

  /** The state of tables that are made beside those of this one: nothing happened to them yet. */
  beside(): LaneState {
    const made = new LaneState(this.changed, this.observe, this.kept, this.wanted)
    made.logSeq = this.logSeq
    return made
  }

  /** What users are warned of, oldest first; of want of room before all and while it lasts. */
  get warnings(): ReadonlyArray<string> {
    const want = this.phase === "waiting-for-room" && this.problem !== null ? [this.problem] : []
    return [...want, ...this.kept.map(({ text }) => text)]
  }

  /** Keeps the newest warnings, and of what may pass the last one. */
  warn(text: string, about: Passing | null = null): void {
    if (about !== null) this.takeBack(about)
    this.kept.push({ text, of: about })
    if (this.kept.length > MAX_WARNINGS) this.kept.shift()
  }

  /** Whether it is warned of that. */
  warnsOf(passing: Passing): boolean {
    return this.kept.some(one => one.of === passing)
  }

  /** Takes back what has passed. */
  takeBack(passed: Passing): void {
    const at = this.kept.findIndex(one => one.of === passed)
    if (at >= 0) this.kept.splice(at, 1)
  }

  /** Notes that frames of a key are wanted or no longer are. */
  want(channel: string, key: string, isWanted: boolean): void {
    const keys = this.wanted.get(channel) ?? new Set()
    if (isWanted) keys.add(key)
    else keys.delete(key)
    this.wanted.set(channel, keys)
  }
}
