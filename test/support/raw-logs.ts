/** Logs as JSON-RPC tells them: into the decoder's bytes, and out of files of real ones. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { fromHex } from "../../src/domain/address.ts"
import { newRawLog, type RawLog } from "../../streams/evm/raw-log.ts"
import { sharedData } from "./shared-data.ts"

export interface HexLog {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
}

/** A log of a file of real ones. */
export interface RealLog extends HexLog {
  readonly chainId: number
  readonly blockNumber: number
  readonly transactionHash: string
  readonly logIndex: number
}

/** The log as bytes, in an object of its own. */
export const rawLogOf = ({ address, topics, data }: HexLog, logIndex = 0): RawLog => {
  const raw = newRawLog()
  raw.address.set(fromHex(address))
  raw.topicCount = topics.length
  topics.forEach((topic, i) => raw.topics.set(fromHex(topic), i * 32))
  raw.data = fromHex(data)
  raw.dataLength = raw.data.length
  raw.logIndex = logIndex
  return raw
}

/** The lines of a gzipped file of JSON lines, by its path in the shared data. */
export const jsonLines = <T>(path: string): ReadonlyArray<T> =>
  gunzipSync(readFileSync(join(sharedData, path)))
    .toString()
    .split("\n")
    .filter(line => line !== "")
    .map(line => JSON.parse(line) as T)
