/** Every event in every state, against a table that was written by hand. */
import { expect, it } from "vitest"
import { Signal } from "../runner/signal.ts"
import {
  LANE_WORDS,
  type LaneEvent,
  type LanePhase,
  LaneState,
  situationAfter,
  TRANSITIONS
} from "./lane-state.ts"
import { LANE_STATES } from "./status.ts"

const EVENTS = [
  ...(["RebuildBegan", "CatchUpBegan", "CaughtUp", "RollbackBegan", "RollbackEnded"] as const),
  ...(["TablesForgotten", "RemakeBegan", "RemakeFailed", "RoomWanted", "LogFailed"] as const),
  "GaveUp" as const
]

/** The state after each event, in the order of `EVENTS`; `.` where the event cannot come. */
const AFTER: Record<LanePhase, string> = {
  opening: "rebuilding catching-up . . . rebuilding remaking . room log failed",
  rebuilding:
    "rebuilding catching-up live rebuilding rebuilding rebuilding remaking . room log failed",
  "catching-up":
    "rebuilding catching-up live catching-up catching-up rebuilding remaking . room log failed",
  live: "rebuilding catching-up . rolling-back . rebuilding remaking . room log failed",
  "rolling-back": "rebuilding catching-up . . live rebuilding remaking . room log failed",
  remaking: "rebuilding catching-up . . . rebuilding remaking remaking room log failed",
  "waiting-for-room": "rebuilding catching-up . . . rebuilding remaking . room log failed",
  "waiting-for-log": "rebuilding catching-up . . . rebuilding remaking . room log failed",
  failed: ". . . . . . . . . . ."
}

const PHASES = Object.keys(LANE_WORDS) as ReadonlyArray<LanePhase>

const eventOf = (type: LaneEvent["type"]): LaneEvent =>
  type.startsWith("Remake") || type === "RoomWanted" || type === "LogFailed" || type === "GaveUp"
    ? ({ type, problem: "what is new" } as LaneEvent)
    : ({ type } as LaneEvent)

const problemAfter = (type: LaneEvent["type"]): string | null => {
  if ("problem" in eventOf(type)) return "what is new"
  const isKept = ["TablesForgotten", "RollbackBegan", "RollbackEnded"].includes(type)
  return isKept ? "what was" : null
}

const cells = PHASES.flatMap(phase =>
  AFTER[phase].split(" ").map((word, place) => [phase, EVENTS[place] ?? "GaveUp", word] as const)
)

it("knows a place for every event in every state", () => {
  expect(cells.length).toBe(PHASES.length * EVENTS.length)
})

it.each(cells)("in %s, %s leads to %s", (phase, type, word) => {
  const next = () => situationAfter({ phase, problem: "what was" }, eventOf(type))
  if (word === ".") expect(next).toThrow(`${type} cannot come to a lane in ${phase}`)
  else {
    const to = word === "room" || word === "log" ? `waiting-for-${word}` : word
    expect(next()).toEqual({ phase: to, problem: problemAfter(type) })
  }
})

it("lists each transition once, with a sentence that says why", () => {
  const pairs = TRANSITIONS.flatMap(({ on, from }) => from.map(phase => `${phase} ${on}`))
  expect(new Set(pairs).size).toBe(pairs.length)
  for (const { why } of TRANSITIONS) expect(why).toMatch(/^[A-Z].*\.$/)
})

it("shows every state as a word that users know", () => {
  expect(LANE_WORDS).toEqual({
    opening: "starting",
    rebuilding: "rebuilding",
    "catching-up": "catching-up",
    live: "live",
    "rolling-back": "live",
    remaking: "catching-up",
    "waiting-for-room": "failed",
    "waiting-for-log": "failed",
    failed: "failed"
  })
})

it("has a word for no state that lanes are never in", () => {
  // what health shows of a live lane whose source or log fails, and clients of one without a source
  const shown = [...Object.values(LANE_WORDS), "stalled", "history"]
  expect(new Set<string>(LANE_STATES)).toEqual(new Set(shown))
})

it("warns of want of room while it lasts, and of what may pass until it has passed", () => {
  const state = new LaneState(new Signal())
  const made = state.beside()
  state.warn("tables were moved aside")
  state.warn("tables stay unmerged", "unmerged")
  state.warn("folding the log again", "folding again")
  const want = "no room on disk in /data: free some"
  state.post({ type: "RoomWanted", problem: want })
  const kept = ["tables were moved aside", "tables stay unmerged", "folding the log again"]
  expect(state.warnings).toEqual([want, ...kept])
  state.post({ type: "RebuildBegan" })
  expect(state.warnings).toEqual(kept)
  state.warn("tables are still unmerged", "unmerged")
  state.post({ type: "CaughtUp" })
  expect(state.warnings).toEqual(["tables were moved aside", "tables are still unmerged"])
  expect([made.warnsOf("unmerged"), made.warnsOf("no snapshot")]).toEqual([true, false])
  made.takeBack("unmerged")
  expect(state.warnings).toEqual(["tables were moved aside"])
})
