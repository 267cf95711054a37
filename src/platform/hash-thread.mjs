// Entry of a thread that hashes a file: `workerData` is the path, the thread posts the SHA-256 in
// hex. Plain JavaScript, so that the thread starts at once.
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { setPriority } from "node:os"
import { pipeline } from "node:stream/promises"
import { parentPort, workerData } from "node:worker_threads"

// Lowest priority: everything else runs first. Outside Linux this would lower the whole process.
if (process.platform === "linux") setPriority(19)

const hash = createHash("sha256")
await pipeline(createReadStream(workerData, { highWaterMark: 1 << 20 }), hash)
parentPort.postMessage(hash.digest("hex"))
