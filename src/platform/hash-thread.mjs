// Entry of a thread that hashes a file: its path comes in, the SHA-256 goes out. No TypeScript, so
// that it starts at once.
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { setPriority } from "node:os"
import { pipeline } from "node:stream/promises"
import { parentPort, workerData } from "node:worker_threads"

// on Linux this thread's, elsewhere it would be the process's: whatever else runs goes first
if (process.platform === "linux") setPriority(19)

const hash = createHash("sha256")
await pipeline(createReadStream(workerData, { highWaterMark: 1 << 20 }), hash)
parentPort.postMessage(hash.digest("hex"))
