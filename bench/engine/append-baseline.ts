/** Runs the baseline of ingest and rebuild over the log of a data folder. */
import { join } from "node:path"
import { withAssistant } from "../measure/assistant.ts"
import { say } from "../measure/words.ts"
import type { Appended, AppendInput } from "./append-assistant.ts"

/** DuckDB appends the tape's rows of this log into a new file of `folder`: the median of three. */
export const appendBaseline = (
  chain: string,
  dataFolder: string,
  folder: string
): Promise<Appended> => {
  say("baseline: DuckDB appends the same tape rows")
  const input: AppendInput = {
    chain,
    dataFolder,
    file: join(folder, "baseline.duckdb"),
    rounds: 3
  }
  return withAssistant("engine/append-assistant.ts", assistant =>
    assistant.ask<Appended>("append", input)
  )
}
