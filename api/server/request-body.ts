/**
 * Collects the body of a request whose route takes one. Each body has a limit of bytes and of time,
 * and all that are under way have one of number, so what clients hold back costs little memory.
 */
import type { UwsResponse } from "../../src/platform/uws.ts"

export interface BodyLimits {
  readonly maxBytes: number
  /** from the request's head to the body's last byte */
  readonly deadlineMs: number
  /** bodies under way at a time */
  readonly most: number
}

export const BODY_LIMITS: BodyLimits = { maxBytes: 64 * 1024, deadlineMs: 5000, most: 256 }

/** Why a body was not collected, as the envelope says it. */
export interface BodyRefusal {
  readonly status: number
  readonly code: "PAYLOAD_TOO_LARGE" | "REQUEST_TIMEOUT" | "BODY_UNAVAILABLE" | "INVALID_PARAMS"
  readonly message: string
}

const refusals = ({ maxBytes, deadlineMs }: BodyLimits) =>
  ({
    large: {
      status: 413,
      code: "PAYLOAD_TOO_LARGE",
      message: `a body may have ${maxBytes / 1024} KiB at most; send less at a time`
    },
    slow: {
      status: 408,
      code: "REQUEST_TIMEOUT",
      message: `the body did not come within ${deadlineMs} ms of its headers; send it again, at once`
    },
    busy: {
      status: 503,
      code: "BODY_UNAVAILABLE",
      message: "too many requests are sending their bodies; try again soon"
    }
  }) as const satisfies { readonly [why: string]: BodyRefusal }

const joined = (chunks: ReadonlyArray<Uint8Array>, bytes: number): Uint8Array => {
  const body = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}

export class BodyCollector {
  /** of a body that a client announces or sends over the limit */
  readonly tooLarge: BodyRefusal
  private readonly limits: BodyLimits
  private readonly refusals: ReturnType<typeof refusals>
  private underWay = 0

  constructor(limits: BodyLimits) {
    this.limits = limits
    this.refusals = refusals(limits)
    this.tooLarge = this.refusals.large
  }

  /**
   * Calls one of both once, unless the returned function was called before: that one stops the
   * collecting of a client who is gone. To be called inside uWebSockets' callback.
   */
  collect(
    response: UwsResponse,
    done: (body: Uint8Array) => void,
    refuse: (why: BodyRefusal) => void
  ): () => void {
    const { maxBytes, deadlineMs, most } = this.limits
    if (this.underWay >= most) {
      refuse(this.refusals.busy)
      return () => {}
    }
    this.underWay++
    let chunks: Array<Uint8Array> = []
    let bytes = 0
    let open = true
    const end = (): void => {
      if (open) this.underWay--
      open = false
      chunks = []
      clearTimeout(timer)
    }
    const timer = setTimeout(() => {
      end()
      refuse(this.refusals.slow)
    }, deadlineMs)
    response.onData((chunk, isLast) => {
      if (!open) return
      bytes += chunk.byteLength
      if (bytes > maxBytes) {
        end()
        refuse(this.refusals.large)
        return
      }
      // a copy: uWebSockets takes the chunk's memory back
      chunks.push(new Uint8Array(chunk.slice(0)))
      if (!isLast) return
      const body = joined(chunks, bytes)
      end()
      done(body)
    })
    return end
  }
}

/** In place of a long answer to a request whose body ends the connection. */
export const NO_BODY: BodyRefusal = {
  status: 413,
  code: "PAYLOAD_TOO_LARGE",
  message: "the route takes no request body, and an answer over 256 KiB needs a request without one"
}
/** Of a long body that no route reads. */
export const TOO_LARGE: BodyRefusal = {
  status: 413,
  code: "PAYLOAD_TOO_LARGE",
  message: "the route takes no request body, and this one is over 64 KiB"
}
/** Of a body that may end at two places. */
export const AMBIGUOUS: BodyRefusal = {
  status: 400,
  code: "INVALID_PARAMS",
  message: "Content-Length must be given once, as a number, and not beside Transfer-Encoding"
}
