/** Who answers: the engine's version and when it started. */
import { Context } from "effect"

export class EngineInfo extends Context.Service<
  EngineInfo,
  {
    /** version of package.json; every answer names it in `X-Engine` */
    readonly version: string
    /** Unix milliseconds */
    readonly startedAtMs: number
  }
>()("swaptape/api/EngineInfo") {}
