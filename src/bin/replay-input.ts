/** Words about a replay's files: the rejected lines, and why nothing could be used. */

import { Schema } from "effect"
import type { FileSource } from "../../streams/sources/file/file-source.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { familyOf } from "../domain/chain-family.ts"

/** The files hold nothing of the chain. */
class NothingToReplay extends Schema.TaggedError<NothingToReplay>()("NothingToReplay", {
  message: Schema.String
}) {}

type Input = Pick<FileSource, "progress" | "rejections">

const counted = (n: number, one: string): string =>
  `${n.toLocaleString("en-US")} ${one}${n === 1 ? "" : "s"}`

/** Returns a line for each rejected line that the source kept, and the number of further ones. */
export const rejectionText = (input: Input): string => {
  const kept = input.rejections()
  const more = input.progress().rejected - kept.length
  const lines = kept.map(({ file, line, reason }) => `rejected: ${file}:${line}: ${reason}\n`)
  return [
    ...lines,
    ...(more > 0 ? [`rejected: and ${more.toLocaleString("en-US")} more\n`] : [])
  ].join("")
}

/** Returns what files a chain is replayed of, for who gave others. */
const wantedOf = (chain: ChainConfig): string =>
  familyOf(chain).files === "blocks"
    ? `answers to getBlock or getTransaction of ${chain.key}`
    : `raw logs of ${chain.key} (${chain.id})`

/** Returns why nothing in the files could be used; null where something was, even again. */
export const nothingUsed = (input: Input, chain: ChainConfig): NothingToReplay | null => {
  const { logs, skipped, rejected } = input.progress()
  if (logs > 0) return null
  const [first] = input.rejections()
  const where = first === undefined ? "" : ` (${first.file}:${first.line}: ${first.reason})`
  const why = [
    ...(rejected > 0 ? [`${counted(rejected, "line")} rejected${where}`] : []),
    ...(skipped > 0 ? [`${counted(skipped, "log")} of other chains`] : [])
  ]
  const reasons = why.length === 0 ? "there is no line in them" : why.join(", ")
  return new NothingToReplay({
    message: `nothing in the files could be used, ${reasons}: give files of ${wantedOf(chain)}`
  })
}
