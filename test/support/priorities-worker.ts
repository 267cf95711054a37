/** A worker that says which thread of the system it is, and serves where it is told to. */
import { readlinkSync } from "node:fs"
import { Effect } from "effect"
import { servesHere } from "../../src/platform/thread-priority.ts"
import { parent, workerInput } from "../../src/platform/worker.ts"

const port = parent<"stop", number>()
if (workerInput<boolean>()) await Effect.runPromise(servesHere)
port.onMessage(() => port.close())
port.post(Number(readlinkSync("/proc/thread-self").split("/").at(-1)))
