// @ts-check
/**
 * The live socket: one connection, many topics, each resumed from the log position it has seen.
 * A reconnect asks for what was missed, so a topic has no hole; frames of the last position may
 * come twice (a lost connection can cut a position's frames in the middle), so readers drop what
 * they have.
 */

import { backoffMs } from "./retry.js"

/** @typedef {import("./types.d.ts").Topic} Topic */
/** @typedef {import("./types.d.ts").Frame} Frame */
/** @typedef {import("./types.d.ts").ConnectionState} ConnectionState */
/**
 * @typedef {object} Handlers
 * @property {(frame: Frame) => void} frame
 * @property {() => void} tooOld the server no longer has what was missed: load afresh
 */
/** @typedef {{ topic: Topic, resumeFrom: number | null, handlers: Handlers }} Wanted */

const OPEN = 1
const PATIENCE_MS = 10_000

/** @type {(topic: Topic) => string} */
const keyOf = ({ channel, chain, token, tf }) => [channel, chain, token, tf ?? ""].join("/")

/** @type {(frame: Frame) => string} */
const keyOfFrame = ({ channel, chain, token, tf }) =>
  [channel, chain, String(token ?? "").toLowerCase(), tf ?? ""].join("/")

/** @type {(data: unknown) => Frame | null} */
const parse = data => {
  try {
    const frame = JSON.parse(String(data))
    return frame !== null && typeof frame === "object" ? frame : null
  } catch {
    return null
  }
}

/** @type {(wanted: Wanted) => string} */
const subscribeMessage = ({ topic, resumeFrom }) =>
  JSON.stringify({
    op: "subscribe",
    ...topic,
    ...(resumeFrom === null ? {} : { from: resumeFrom })
  })

/** @type {(wanted: Wanted, frame: Frame) => boolean} a frame without a topic concerns them all */
const concerns = ({ topic }, frame) =>
  frame.channel === undefined ||
  (frame.channel === topic.channel &&
    (frame.chain === undefined || Number(frame.chain) === topic.chain) &&
    (frame.token === undefined || frame.token.toLowerCase() === topic.token))

/** Hands a frame to the topics it is for. @type {(wanted: Map<string, Wanted>, frame: Frame) => void} */
const dispatch = (wanted, frame) => {
  if (frame.type === "error") {
    if (frame.error !== "RESUME_TOO_OLD") return
    for (const each of [...wanted.values()]) if (concerns(each, frame)) each.handlers.tooOld()
    return
  }
  // An undo of candles need not name the interval: it concerns every one.
  const targets =
    frame.type === "undo"
      ? [...wanted.values()].filter(each => concerns(each, frame))
      : [wanted.get(keyOfFrame(frame))].filter(each => each !== undefined)
  for (const each of targets) {
    if (typeof frame.seq === "number") {
      each.resumeFrom = Math.max(each.resumeFrom ?? 0, frame.seq - 1)
    }
    each.handlers.frame(frame)
  }
}

/**
 * Opens the socket and keeps it open until closed.
 *
 * @param {object} options
 * @param {string} options.url
 * @param {(state: ConnectionState) => void} options.onState
 * @param {(frame: Frame) => void} [options.onRefusal] an `error` frame
 * @param {(url: string) => WebSocket} [options.open]
 */
export const createLive = ({
  url,
  onState,
  onRefusal = () => {},
  open = address => new WebSocket(address)
}) => {
  /** @type {Map<string, Wanted>} */
  const wanted = new Map()
  /** @type {WebSocket | null} */
  let socket = null
  let attempt = 0
  let closed = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** @type {(message: string) => void} */
  const send = message => {
    if (socket?.readyState === OPEN) socket.send(message)
  }

  /** @type {(frame: Frame) => void} */
  const receive = frame => {
    attempt = 0
    if (frame.type === "error") onRefusal(frame)
    dispatch(wanted, frame)
  }

  /** @type {(reason: string) => void} */
  const connectLater = reason => {
    const delayMs = backoffMs(attempt++)
    onState({ kind: "waiting", delayMs, reason })
    timer = setTimeout(connect, delayMs)
  }

  function connect() {
    clearTimeout(timer)
    onState({ kind: "connecting" })
    const current = open(url)
    socket = current
    timer = setTimeout(() => current.close(), PATIENCE_MS)
    current.onopen = () => {
      clearTimeout(timer)
      onState({ kind: "open" })
      for (const each of wanted.values()) send(subscribeMessage(each))
    }
    current.onmessage = ({ data }) => {
      const frame = parse(data)
      if (frame !== null) receive(frame)
    }
    current.onclose = ({ reason }) => {
      if (closed || socket !== current) return
      clearTimeout(timer)
      socket = null
      connectLater(reason || "the connection was lost")
    }
  }

  connect()
  return {
    /**
     * @param {Topic} topic token in lower case
     * @param {number | null} from log position already seen; null: from now on
     * @param {Handlers} handlers
     * @returns {() => void} unsubscribes
     */
    subscribe: (topic, from, handlers) => {
      const key = keyOf(topic)
      const mine = { topic, resumeFrom: from, handlers }
      wanted.set(key, mine)
      send(subscribeMessage(mine))
      return () => {
        if (wanted.get(key) !== mine) return
        wanted.delete(key)
        send(JSON.stringify({ op: "unsubscribe", ...topic }))
      }
    },
    /** Connects at once instead of waiting; drops a socket that may be dead. */
    retryNow: () => {
      const stale = socket
      socket = null
      attempt = 0
      stale?.close()
      connect()
    },
    close: () => {
      closed = true
      clearTimeout(timer)
      socket?.close()
    }
  }
}

/** @typedef {ReturnType<typeof createLive>} Live */
