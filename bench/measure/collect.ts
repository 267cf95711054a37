/** Collects garbage, so that memory is what is held; Node hides how, unless its flag is set. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect } from "effect"

/** An answer of an assistant: collects the garbage of its main thread. */
export const collect = () =>
  Effect.sync(() => {
    setFlagsFromString("--expose-gc")
    const gc: () => void = runInNewContext("gc")
    gc()
    gc()
  })
