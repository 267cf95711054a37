/** Final blocks that some endpoint must have. */
import { Effect } from "effect"
import { SourceError } from "../../source.ts"
import { fetchHeader, type LaneError, type RpcLane } from "./rpc-lane.ts"

/** Tries until all endpoints are taken at their word. */
const MOST_TRIES = 4

const FIRST_WAIT_MS = 50

export const unproven = (number: number, reason: string): SourceError =>
  new SourceError({ message: `block ${number}: ${reason}`, fatal: false })

/** Fails where no endpoint has a final block: the logs around it would be asked for without end. */
export const requireBlock = (lane: RpcLane, number: number): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    for (let tries = 1; (yield* fetchHeader(lane.endpoints, number)) === null; tries++) {
      if (tries === MOST_TRIES) return yield* unproven(number, "no endpoint has it")
      yield* lane.endpoints.distrust(lane.endpoints.current, `no block ${number}`)
      yield* lane.endpoints.pause(FIRST_WAIT_MS * 2 ** tries)
    }
  })
