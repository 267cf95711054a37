/** A worker that says which thread of the system it is, and serves or follows as it is told to. */
import { readlinkSync } from "node:fs"
import { Effect } from "effect"
import { followsHere, servesHere } from "../../src/platform/thread-priority.ts"
import { parent, workerInput } from "../../src/platform/worker.ts"

const port = parent<"stop", number>()
const PLACES = { serves: servesHere, follows: followsHere, other: Effect.void }
export type Place = keyof typeof PLACES
await Effect.runPromise(PLACES[workerInput<Place>()])
port.onMessage(() => port.close())
port.post(Number(readlinkSync("/proc/thread-self").split("/").at(-1)))
