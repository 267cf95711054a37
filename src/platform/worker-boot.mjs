// Entry of every worker thread: registers tsx, which Node 20 does not pass on to workers.
import { workerData } from "node:worker_threads"
import { register } from "tsx/esm/api"

register()
await import(workerData.entry)
