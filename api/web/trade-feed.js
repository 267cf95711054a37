// @ts-check
/** A token's prints: a page by HTTP, then the socket from that page's log position on. */

import { loadTrades } from "./http.js"
import { background, pause, untilDone } from "./retry.js"
import { addOlder, addTrade, printsOf, reconcile, strike } from "./tape.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Frame} Frame */
/** @typedef {import("./types.d.ts").Print} Print */
/** @typedef {import("./http.js").Problem} Problem */

/** Prints kept when the reader has not asked for older ones. */
const KEPT = 200
/** Undo frames come in groups; one reading answers them all. */
const SETTLE_MS = 250

/**
 * @param {object} options
 * @param {import("./live.js").Live} options.live
 * @param {Chain} options.chain
 * @param {string} options.token lower case
 * @param {(tape: { prints: ReadonlyArray<Print>, seq: number | null, more: boolean }) => void}
 *   options.onChange `seq`: newest log position shown; `more`: older prints can be had
 * @param {(problem: Problem | null) => void} options.onProblem
 */
export const createTradeFeed = ({ live, chain, token, onChange, onProblem }) => {
  const ending = new AbortController()
  const { signal } = ending
  /** @type {ReadonlyArray<Print>} */
  let prints = []
  /** @type {number | null} */
  let pageSeq = null
  /** @type {number | null} */
  let newestSeq = null
  let more = false
  let kept = KEPT
  /** @type {Frame[] | null} frames that wait while a page is being read */
  let waiting = []
  let unsubscribe = () => {}

  const show = () => {
    if (prints.length > kept) {
      prints = prints.slice(0, kept)
      more = true
    }
    onChange({ prints, seq: newestSeq, more })
  }

  /** @type {(frame: Frame) => void} */
  const apply = frame => {
    const seq = frame.seq ?? 0
    if (pageSeq !== null && seq <= pageSeq) return
    newestSeq = Math.max(newestSeq ?? 0, seq)
    if (frame.type === "trade" && frame.trade) prints = addTrade(prints, frame.trade, seq)
    if (frame.type === "undo") {
      const toSeq = frame.toSeq ?? 0
      prints = strike(prints, seq, toSeq)
      if (pageSeq === null || pageSeq > toSeq) background(readAgain, signal)
    }
  }

  /** @type {(frame: Frame) => void} */
  const receive = frame => {
    if (waiting !== null) {
      waiting.push(frame)
      return
    }
    apply(frame)
    show()
  }

  const readPage = () =>
    untilDone(() => loadTrades({ chain, token, after: [] }, signal), signal, onProblem)

  /** @type {(page: Awaited<ReturnType<typeof readPage>>) => void} */
  const accept = page => {
    pageSeq = page.seq
    newestSeq = Math.max(newestSeq ?? 0, page.seq ?? 0)
    const frames = waiting ?? []
    waiting = null
    for (const frame of frames) apply(frame)
    show()
  }

  const readAgain = async () => {
    waiting ??= []
    await pause(SETTLE_MS, signal)
    const page = await readPage()
    prints = reconcile(prints, page.trades, !page.more)
    accept(page)
  }

  const start = async () => {
    unsubscribe()
    waiting = []
    const page = await readPage()
    prints = printsOf(page.trades)
    more = page.more
    kept = KEPT
    accept(page)
    unsubscribe = live.subscribe({ channel: "trades", chain: chain.id, token }, page.seq, {
      frame: receive,
      tooOld: () => background(start, signal)
    })
  }

  background(start, signal)
  return {
    /** Adds the next older page; does nothing where there is none. */
    loadOlder: async () => {
      if (!more) return
      const after = prints.filter(each => !each.undone).map(each => each.trade)
      const page = await loadTrades({ chain, token, after }, signal)
      prints = addOlder(prints, page.trades)
      more = page.more
      kept = prints.length + KEPT
      show()
    },
    close: () => {
      ending.abort(new Error("the feed is closed"))
      unsubscribe()
    }
  }
}
