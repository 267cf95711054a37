// @ts-check
/**
 * The live socket. Types and words: `live.d.ts`.
 *
 * A reconnect asks for what was missed, so a topic has no hole. It asks from one position before
 * the last seen one, as a lost connection may have cut that position's frames in the middle; what
 * comes twice of it is dropped. It names the log too: after a cut or a lost tail the same position
 * means other events, which the server tells, and the topic starts anew.
 */

import { backoffMs } from "./retry.js"

/** @typedef {import("./live.d.ts").Topic} Topic */
/** @typedef {import("./live.d.ts").Refused} Refused */
/** @typedef {import("./live.d.ts").Socket} Socket */
/** @typedef {import("./live.d.ts").Handlers<any>} Handlers */
/** @typedef {{ readonly [field: string]: any }} Frame */
/**
 * @typedef {object} Wanted
 * @property {number} id stands in what answers its message
 * @property {Topic} topic
 * @property {Handlers} handlers
 * @property {number | null} resumeFrom
 * @property {string | null} log id of the log that this position is of, where known
 * @property {Frame | null} named how the server's frames name it; null before it is confirmed
 * @property {number} seq newest position heard
 * @property {Set<string>} heard frames of that position, as they came
 * @property {number} refusals since the last frame
 */

const PATH = "/v1/ws/live"
const OPEN = 1
/** A socket that takes longer to open is given up. */
const OPEN_PATIENCE_MS = 10_000
/** How often a silent connection is probed; a dead one does not say so by itself. */
const PROBE_MS = 15_000
/** Refusals that a later try with the same position may pass. */
const PASSING = new Set(["NOT_READY", "CHAIN_DATA_UNAVAILABLE"])
/** Refusals after which the position is of no use. */
const VOID = new Set(["RESUME_TOO_OLD", "INVALID_PARAMS"])
/** Fields of a confirmation that are not its topic's. */
const BESIDE = new Set(["type", "id", "seq", "log"])

/** @type {(topic: Topic) => string} */
const keyOf = topic => JSON.stringify(Object.entries(topic).sort())

/** @type {(text: string) => Frame | null} */
const parse = text => {
  try {
    const frame = JSON.parse(text)
    return frame !== null && typeof frame === "object" ? frame : null
  } catch {
    return null
  }
}

/**
 * Whether a frame names a topic; what it leaves open means all. Wide: so does a null of the topic.
 *
 * @type {(named: Frame, frame: Frame, isWide: boolean) => boolean}
 */
const names = (named, frame, isWide) =>
  Object.entries(named).every(([field, value]) => {
    const told = frame[field]
    return told === undefined || told === value || (isWide && value === null)
  })

/** @type {(wanted: Wanted) => string} */
const subscribeMessage = ({ id, topic, resumeFrom, log }) => {
  const of = log === null ? {} : { log }
  const from = resumeFrom === null ? {} : { from: resumeFrom, ...of }
  return JSON.stringify({ op: "subscribe", id, ...topic, ...from })
}

export class LiveSocket {
  #url
  #onState
  #open
  /** @type {Map<string, Wanted>} */
  #wanted = new Map()
  #ids = 0
  /** @type {Socket | null} */
  #socket = null
  #attempt = 0
  #isHeard = true
  #isClosed = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer

  /** @param {import("./live.d.ts").LiveOptions} [options] */
  constructor({ url = globalThis.location?.origin, onState = () => {}, open } = {}) {
    this.#url = `${String(url).replace(/^http/, "ws").replace(/\/$/, "")}${PATH}`
    this.#onState = onState
    this.#open = open ?? (address => /** @type {Socket} */ (new WebSocket(address)))
    this.#connect()
  }

  /**
   * @param {Topic} topic
   * @param {Handlers} handlers
   * @param {import("./live.d.ts").Place} [place]
   */
  subscribe(topic, handlers, { seq, log } = { seq: null, log: null }) {
    const key = keyOf(topic)
    /** @type {Wanted} */
    const mine = {
      ...{ id: ++this.#ids, topic, handlers, log, named: null },
      ...{ resumeFrom: seq, seq: -1, heard: new Set(), refusals: 0 }
    }
    const former = this.#wanted.get(key)
    if (former !== undefined) this.#leave(former)
    this.#wanted.set(key, mine)
    this.#send(subscribeMessage(mine))
    return () => {
      if (this.#wanted.get(key) === mine) this.#leave(mine)
    }
  }

  retryNow() {
    const stale = this.#socket
    this.#socket = null
    this.#attempt = 0
    stale?.close()
    this.#connect()
  }

  close() {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const last = this.#socket
    this.#socket = null
    last?.close()
  }

  /** @param {string} message */
  #send(message) {
    if (this.#socket?.readyState === OPEN) this.#socket.send(message)
  }

  /** @param {Wanted} wanted */
  #leave({ id, topic }) {
    this.#wanted.delete(keyOf(topic))
    this.#send(JSON.stringify({ op: "unsubscribe", id, ...topic }))
  }

  #connect() {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
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
      const text = String(data)
      const frame = this.#socket === socket ? parse(text) : null
      if (frame !== null) this.#receive(frame, text)
    }
    // What is wrong is told when it closes.
    socket.onerror = () => {}
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

  /** @param {Frame} frame @param {string} text */
  #receive(frame, text) {
    // Not on opening: a server that accepts and drops at once must not be hammered.
    this.#attempt = 0
    for (const wanted of this.#concerned(frame)) {
      if (frame["type"] === "error") this.#refused(wanted, frame)
      else if (frame["type"] === "subscribed") this.#confirmed(wanted, frame)
      else if (typeof frame["seq"] === "number") this.#deliver(wanted, frame, text)
    }
  }

  /**
   * The topics that a frame is about: by its message's id, else by its fields.
   *
   * @param {Frame} frame
   */
  #concerned(frame) {
    const all = [...this.#wanted.values()]
    if (frame["id"] !== undefined) return all.filter(({ id }) => id === frame["id"])
    const named = (/** @type {boolean} */ isWide) =>
      all.filter(each => each.named !== null && names(each.named, frame, isWide))
    const exact = named(false)
    return exact.length > 0 ? exact : named(true)
  }

  /** @param {Wanted} wanted @param {Frame} frame */
  #confirmed(wanted, frame) {
    const { seq, log = null } = frame
    wanted.refusals = 0
    wanted.named = Object.fromEntries(Object.entries(frame).filter(([name]) => !BESIDE.has(name)))
    const isAnother = log !== null && wanted.log !== null && log !== wanted.log
    if (isAnother) {
      wanted.seq = -1
      wanted.heard.clear()
    }
    if (isAnother || wanted.resumeFrom === null) wanted.resumeFrom = seq
    wanted.log = log ?? wanted.log
  }

  /** @param {Wanted} wanted @param {Frame} frame @param {string} text */
  #deliver(wanted, frame, text) {
    const { seq } = frame
    wanted.refusals = 0
    if (seq > wanted.seq) {
      wanted.seq = seq
      wanted.heard.clear()
    }
    if (seq === wanted.seq) {
      if (wanted.heard.has(text)) return
      wanted.heard.add(text)
    }
    wanted.resumeFrom = Math.max(wanted.resumeFrom ?? 0, seq - 1)
    wanted.handlers.frame(/** @type {any} */ (frame))
  }

  /** @param {Wanted} wanted @param {Frame} frame */
  #refused(wanted, { error, message, oldestSeq = null, log = null }) {
    const key = keyOf(wanted.topic)
    const why = { code: error, message, oldestSeq, log }
    wanted.named = null
    if (!PASSING.has(error) && !(VOID.has(error) && wanted.resumeFrom !== null)) {
      this.#wanted.delete(key)
      wanted.handlers.refused?.(why)
      return
    }
    setTimeout(
      () => {
        if (this.#wanted.get(key) !== wanted) return
        if (PASSING.has(error)) {
          this.#send(subscribeMessage(wanted))
          return
        }
        this.#wanted.delete(key)
        wanted.handlers.restart(why)
      },
      backoffMs(wanted.refusals++)
    )
  }
}
