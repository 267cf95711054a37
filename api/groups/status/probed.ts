/** Gives routes what probers found, which measure from outside the engine's process. */
import { Context } from "effect"
import type { Uptime } from "../../../engine/probes/uptime.ts"

export class Probed extends Context.Service<
  Probed,
  {
    /** returns null where nothing was measured */
    readonly uptime: () => Uptime | null
  }
>()("swaptape/api/Probed") {}
