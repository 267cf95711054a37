/** A lane's database whose thread throws when it is told to: by a statement, or by anybody. */
import { BroadcastChannel } from "node:worker_threads"
import { runDatabase } from "../../src/platform/duckdb-serving.ts"
import type { FromDatabase, ToDatabase } from "../../src/platform/duckdb-thread.ts"
import { parent } from "../../src/platform/worker.ts"
import { END_CHANNEL, END_STATEMENT } from "./ending-database.ts"

const end = (): never => {
  throw new Error("IO Error: as it was told")
}

const port = parent<ToDatabase, FromDatabase>()
runDatabase(port)
port.onMessage(asked => {
  if (asked.type === "run" && asked.sql === END_STATEMENT) end()
})
const channel = new BroadcastChannel(END_CHANNEL)
channel.onmessage = () => {
  setTimeout(() => {
    throw new Error("once more, while it is closing")
  }, 10)
  end()
}
channel.unref()
