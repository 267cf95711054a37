/** Messages between the serving thread and a lane's worker. */
import type { FramesNotice, HistoryAnswer, HistoryRequest } from "../frames.ts"
import type { QueryAnswer, QueryRequest } from "../question.ts"
import type { Position, ToReplica } from "../replica/messages.ts"
import type { LaneStatus } from "./status.ts"

export type ToLane =
  | {
      readonly type: "query"
      readonly id: number
      readonly request: QueryRequest
      /** of the tables that have folded most of the log, though readers may not have them yet */
      readonly newest?: boolean
    }
  | { readonly type: "history"; readonly id: number; readonly request: HistoryRequest }
  | {
      readonly type: "want"
      readonly channel: string
      readonly key: string
      readonly wanted: boolean
    }
  | { readonly type: "stop" }

export type FromLane =
  | { readonly type: "answer"; readonly id: number; readonly answer: QueryAnswer }
  | { readonly type: "history"; readonly id: number; readonly answer: HistoryAnswer }
  | { readonly type: "unanswered"; readonly id: number; readonly message: string }
  | {
      /** where the pages stand that readers get */
      readonly type: "position"
      readonly at: Position
      /** the tables are others now: the same position may stand for other events */
      readonly anew?: boolean
    }
  /** id of the log that all positions from here on are of; null where none is known */
  | { readonly type: "log"; readonly log: string | null }
  | { readonly type: "frames"; readonly notice: FramesNotice }
  | { readonly type: "status"; readonly status: LaneStatus }
  /** the lane has folded everything that stood in the log when it began */
  | {
      readonly type: "caught-up"
      readonly at: Position
      /** whether readers are answered from it; until then they wait, or have older tables */
      readonly isSeen: boolean
      /** where the log began that the tables were first made of; null for new ones */
      readonly firstBlock: number | null
    }
  | ToReplica
  /** the thread lives; for how long the tables' thread has not answered, in milliseconds */
  | { readonly type: "pulse"; readonly tablesSilentMs: number }
  | { readonly type: "stopped" }
