/** Reads a request's body whole, up to a limit. */
import type { UwsResponse } from "../../src/platform/uws.ts"

export const MAX_BODY_BYTES = 1024 * 1024

/**
 * Calls `done` with the body, or `tooLarge` once, as soon as it is over the limit. Neither is
 * called where the client is lost first.
 */
export const readBody = (
  response: UwsResponse,
  done: (body: Uint8Array) => void,
  tooLarge: () => void
): void => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  response.onData((chunk, isLast) => {
    if (bytes > MAX_BODY_BYTES) return
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) {
      tooLarge()
      return
    }
    // The chunk's memory is taken back when this callback returns.
    chunks.push(new Uint8Array(chunk.slice(0)))
    if (isLast) done(Buffer.concat(chunks, bytes))
  })
}
