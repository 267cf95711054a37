/** What the server does on the messages of a socket's client. */
import { Result } from "effect"
import type { Connection } from "./connection.ts"
import { namedBy, parseMessage } from "./message.ts"
import { CLOSE } from "./reader.ts"
import { refuse, type Subscriptions } from "./subscriptions.ts"

export interface SessionOptions {
  readonly subscriptions: Subscriptions
  /** Unix milliseconds */
  readonly nowMs: () => number
  readonly maxMessageBytes: number
}

const decoder = new TextDecoder()

/** Follows a message as it came; whatever is wrong is answered, except talking too fast. */
export const receive = (
  { subscriptions, nowMs, maxMessageBytes }: SessionOptions,
  connection: Connection,
  bytes: ArrayBuffer
): void => {
  if (bytes.byteLength > maxMessageBytes) {
    connection.end(CLOSE.tooBig, `a message may have ${maxMessageBytes} bytes`)
    return
  }
  if (!connection.admits(nowMs())) {
    connection.end(CLOSE.tooFast, "too many messages a second")
    return
  }
  const text = decoder.decode(bytes)
  Result.match(parseMessage(text), {
    onFailure: message => refuse(connection, { error: "INVALID_PARAMS", message }, namedBy(text)),
    onSuccess: message => {
      if (message.op === "subscribe") subscriptions.subscribe(connection, message)
      else if (message.op === "unsubscribe") subscriptions.unsubscribe(connection, message)
      else connection.sendValue({ type: "pong", id: message.id, at: Math.floor(nowMs() / 1000) })
    }
  })
}
