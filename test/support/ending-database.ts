/** How the threads of `ending-database-worker.ts` are told to end. */
import { BroadcastChannel } from "node:worker_threads"

export const endingDatabase = new URL("./ending-database-worker.ts", import.meta.url)

export const END_STATEMENT = "end this thread"
export const END_CHANNEL = "ending database"

/** Ends all of them. */
export const endDatabases = (): void => {
  const channel = new BroadcastChannel(END_CHANNEL)
  channel.postMessage("end")
  channel.close()
}
