// @ts-check
/**
 * The live socket: one connection, many topics, each resumed from the log position it has seen.
 * A reconnect asks for what was missed, so a topic has no hole. It asks from one position before
 * the last seen one, as a lost connection may have cut that position's frames in the middle: the
 * feeds drop what they have already. It names the log too: after a cut or a lost tail the same
 * position means other events, which the server tells, and the topic starts anew.
 */

import { backoffMs } from "./retry.js"

/** @typedef {import("./types.d.ts").Topic} Topic */
/** @typedef {import("./types.d.ts").Frame} Frame */
/** @typedef {import("./types.d.ts").ConnectionState} ConnectionState */
/**
 * @typedef {object} Handlers
 * @property {(frame: Frame) => void} frame
 * @property {() => void} restart the server cannot go on from where the topic was: load afresh
 */
/**
 * @typedef {object} Wanted
 * @property {Topic} topic
 * @property {number | null} resumeFrom
 * @property {string | null} log id of the log that this position is of, where known
 * @property {Handlers} handlers
 * @property {number} refusals since the last frame
 */

const OPEN = 1
/** A socket that takes longer to open is given up. */
const OPEN_PATIENCE_MS = 10_000
/** How often a silent connection is probed; a dead one does not say so by itself. */
const PROBE_MS = 15_000
/** Refusals that a later try with the same position may pass. */
const PASSING = new Set(["NOT_READY", "CHAIN_DATA_UNAVAILABLE"])
/** Refusals after which the position is of no use. */
const FINAL = new Set(["RESUME_TOO_OLD", "INVALID_PARAMS"])

/** @type {(topic: Topic) => string} */
const keyOf = ({ channel, chain, token, tf }) => [channel, chain, token, tf ?? ""].join("/")

/** @type {(data: unknown) => Frame | null} */
const parse = data => {
  try {
    const frame = JSON.parse(String(data))
    return frame !== null && typeof frame === "object" ? frame : null
  } catch {
    return null
  }
}

/**
 * Whether a frame is about a topic; what it leaves open means all.
 *
 * @type {(topic: Topic, frame: Frame) => boolean}
 */
const concerns = (topic, { channel, chain, token, tf }) =>
  channel === topic.channel &&
  Number(chain) === topic.chain &&
  (token === undefined || token === null || token.toLowerCase() === topic.token) &&
  (tf === undefined || tf === topic.tf)

/** @type {(wanted: Wanted) => string} */
const subscribeMessage = ({ topic, resumeFrom, log }) => {
  const of = log === null ? {} : { log }
  const from = resumeFrom === null ? {} : { from: resumeFrom, ...of }
  return JSON.stringify({ op: "subscribe", ...topic, ...from })
}

/** Opens a socket and keeps it open until the page goes. */
export class LiveSocket {
  #url
  #onState
  #open
  /** @type {Map<string, Wanted>} */
  #wanted = new Map()
  /** @type {WebSocket | null} */
  #socket = null
  #attempt = 0
  #isHeard = true
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer

  /**
   * @param {object} options
   * @param {string} options.url
   * @param {(state: ConnectionState) => void} options.onState
   * @param {(url: string) => WebSocket} [options.open]
   */
  constructor({ url, onState, open = address => new WebSocket(address) }) {
    this.#url = url
    this.#onState = onState
    this.#open = open
    this.#connect()
  }

  /**
   * @param {Topic} topic token in lower case
   * @param {number | null} from log position already seen; null: from now on
   * @param {Handlers} handlers
   * @param {string | null} [log] id of the log that the position is of, where known
   * @returns {() => void} unsubscribes
   */
  subscribe(topic, from, handlers, log = null) {
    const key = keyOf(topic)
    const mine = { topic, resumeFrom: from, log, handlers, refusals: 0 }
    this.#wanted.set(key, mine)
    this.#send(subscribeMessage(mine))
    return () => {
      if (this.#wanted.get(key) !== mine) return
      this.#wanted.delete(key)
      this.#send(JSON.stringify({ op: "unsubscribe", ...topic }))
    }
  }

  /** Connects at once instead of waiting; drops a socket that may be dead. */
  retryNow() {
    const stale = this.#socket
    this.#socket = null
    this.#attempt = 0
    stale?.close()
    this.#connect()
  }

  /** Ends for good. */
  close() {
    clearTimeout(this.#timer)
    const last = this.#socket
    this.#socket = null
    last?.close()
  }

  /** @param {string} message */
  #send(message) {
    if (this.#socket?.readyState === OPEN) this.#socket.send(message)
  }

  #connect() {
    clearTimeout(this.#timer)
    this.#onState({ kind: "connecting" })
    const socket = this.#open(this.#url)
    this.#socket = socket
    this.#timer = setTimeout(() => socket.close(), OPEN_PATIENCE_MS)
    socket.onopen = () => {
      if (this.#socket !== socket) return
      this.#onState({ kind: "open" })
      this.#isHeard = true
      this.#probeLater()
      for (const each of this.#wanted.values()) this.#send(subscribeMessage(each))
    }
    socket.onmessage = ({ data }) => {
      this.#isHeard = true
      const frame = this.#socket === socket ? parse(data) : null
      if (frame !== null) this.#receive(frame)
    }
    socket.onclose = ({ reason }) => {
      if (this.#socket === socket) this.#connectLater(reason || "the connection was lost")
    }
  }

  /** @param {string} reason */
  #connectLater(reason) {
    clearTimeout(this.#timer)
    this.#socket = null
    const delayMs = backoffMs(this.#attempt++)
    this.#onState({ kind: "waiting", delayMs, reason })
    this.#timer = setTimeout(() => this.#connect(), delayMs)
  }

  /** Asks for a sign of life; a connection that gave none since the last time is dropped. */
  #probeLater() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (!this.#isHeard) {
        const silent = this.#socket
        this.#connectLater("the server fell silent")
        silent?.close()
        return
      }
      this.#isHeard = false
      this.#send('{"op":"ping"}')
      this.#probeLater()
    }, PROBE_MS)
  }

  /** @param {Frame} frame */
  #receive(frame) {
    // Not on opening: a server that accepts and drops at once must not be hammered.
    this.#attempt = 0
    const concerned = [...this.#wanted.values()].filter(each => concerns(each.topic, frame))
    for (const each of concerned) {
      if (frame.type === "error") this.#refused(each, frame.error ?? "")
      else if (typeof frame.seq === "number") this.#deliver(each, frame, frame.seq)
    }
  }

  /** @param {Wanted} wanted @param {Frame} frame @param {number} seq */
  #deliver(wanted, frame, seq) {
    wanted.refusals = 0
    if (frame.type === "subscribed") {
      const { log = null } = frame
      if (log !== null && wanted.log !== null && log !== wanted.log) wanted.resumeFrom = seq
      wanted.resumeFrom ??= seq
      wanted.log = log ?? wanted.log
      return
    }
    wanted.resumeFrom = Math.max(wanted.resumeFrom ?? 0, seq - 1)
    wanted.handlers.frame(frame)
  }

  /** @param {Wanted} wanted @param {string} code */
  #refused(wanted, code) {
    if (!PASSING.has(code) && !FINAL.has(code)) return
    const isPassing = PASSING.has(code)
    setTimeout(
      () => {
        if (this.#wanted.get(keyOf(wanted.topic)) !== wanted) return
        if (isPassing) this.#send(subscribeMessage(wanted))
        else wanted.handlers.restart()
      },
      backoffMs(wanted.refusals++)
    )
  }
}
