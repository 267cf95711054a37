// Entry of every worker thread. Node 20 does not pass tsx on to workers, so it is registered here.
import { workerData } from "node:worker_threads"
import { register } from "tsx/esm/api"

register()
await import(workerData.entry)
