/** Plain values as bytes: numbers, bigints, texts, lists, maps and objects of them. */
import { deserialize, serialize } from "node:v8"
import { Result } from "effect"

export const bytesOf = (value: unknown): Uint8Array => serialize(value)

/** The value in such bytes; the failure says why there is none. */
export const valueIn = (bytes: Uint8Array): Result.Result<unknown, string> =>
  Result.try({
    try: (): unknown => deserialize(bytes),
    catch: cause => (cause instanceof Error ? cause.message : String(cause))
  })
