/** Starts worker threads that run TypeScript, and gives both sides their end of the channel. */
import { setFlagsFromString } from "node:v8"
import { parentPort, Worker, workerData } from "node:worker_threads"
import { Effect, Schema, type Scope } from "effect"

/**
 * Lets the heap double before the garbage collector marks all of it. Our heaps are small and our
 * arrays large and short-lived: by default the collector counts both and marks the heap five times
 * a second, for memory that the next minor collection frees anyway. With this flag it marks a third
 * as often (a fifth faster ingest).
 */
setFlagsFromString("--heap-growing-percent=100")

/** A worker thread ended by itself or by an uncaught error. */
class WorkerError extends Schema.TaggedError<WorkerError>()("WorkerError", {
  message: Schema.String
}) {}

export interface WorkerHandle<To, From> {
  readonly post: (message: To, transfer?: ReadonlyArray<ArrayBuffer>) => void
  readonly onMessage: (listener: (message: From) => void) => void
  /** fails when the thread ends */
  readonly ended: Effect.Effect<never, WorkerError>
}

/** Default milliseconds that a worker gets to end by itself. */
const STOP_GRACE_MS = 4000

/**
 * Milliseconds that a terminated worker is waited for. Only one that a debugger holds takes longer:
 * it ends when it is let go of, before it does anything else.
 */
const TERMINATION_MS = 2000

/** Resolves with `late` after so many milliseconds, for which the process does not stay. */
const after = (ms: number): Promise<"late"> =>
  new Promise(resolve => {
    setTimeout(() => resolve("late"), ms).unref()
  })

/**
 * Starts a worker whose entry is a TypeScript module, which reads `data` by `workerInput`. The
 * scope's end posts `stop` and terminates the thread where it has not ended after `graceMs`.
 */
export const spawnWorker = <To, From>(
  entry: URL,
  data: unknown,
  stop: To,
  graceMs = STOP_GRACE_MS
): Effect.Effect<WorkerHandle<To, From>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const worker = new Worker(new URL("./worker-boot.mjs", import.meta.url), {
        workerData: { entry: entry.href, data }
      })
      const exited = new Promise<string>(resolve => {
        let failure = ""
        worker.on("error", error => {
          failure = error instanceof Error ? error.message : String(error)
        })
        worker.on("exit", code => resolve(failure || `worker ended with code ${code}`))
      })
      return { worker, exited }
    }),
    ({ worker, exited }) =>
      Effect.promise(async () => {
        worker.postMessage(stop)
        if ((await Promise.race([exited, after(graceMs)])) !== "late") return
        await Promise.race([worker.terminate(), after(TERMINATION_MS)])
      })
  ).pipe(
    Effect.map(({ worker, exited }) => ({
      post: (message: To, transfer: ReadonlyArray<ArrayBuffer> = []) =>
        worker.postMessage(message, [...transfer]),
      onMessage: (listener: (message: From) => void) => {
        worker.on("message", listener)
      },
      ended: Effect.promise(() => exited).pipe(
        Effect.flatMap(message => Effect.fail(new WorkerError({ message })))
      )
    }))
  )

/** Inside a worker: returns the data that the worker was started with. */
export const workerInput = <Data>(): Data => (workerData as { data: Data }).data

export interface ParentPort<To, From> {
  readonly post: (message: From, transfer?: ReadonlyArray<ArrayBuffer>) => void
  readonly onMessage: (listener: (message: To) => void) => void
  /** closes the channel, so that the thread can end */
  readonly close: () => void
}

/** Inside a worker: returns the port to the thread that started the worker. */
export const parent = <To, From>(): ParentPort<To, From> => ({
  post: (message, transfer = []) => parentPort?.postMessage(message, [...transfer]),
  onMessage: listener => {
    parentPort?.on("message", listener)
  },
  close: () => parentPort?.close()
})

/**
 * Returns the sum of this thread's used heap and its external memory, in bytes, which includes
 * array buffers.
 */
export const threadMemory = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
