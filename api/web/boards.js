// @ts-check
/** The view of a chain's tokens: by volume, those that move, the new ones, the launched ones. */

import { follow } from "./background.js"
import { columnsOf, sortRows } from "./board-columns.js"
import { caveatList, caveatsOf, showCaveats } from "./caveats.js"
import { element, setText, showMessage } from "./dom.js"
import { familyOf, graduatedOf, secondOf } from "./family.js"
import { formatInteger, formatRule } from "./format.js"
import { writeRoute } from "./routes.js"
import { makeTable } from "./rows.js"
import { BOARDS } from "./state.js"

/** @typedef {import("./types.d.ts").BoardName} BoardName */
/** @typedef {import("./types.d.ts").BoardRow} BoardRow */
/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").ViewTools} ViewTools */
/** @typedef {import("./caveats.js").Doubtful} Doubtful */
/** @typedef {import("../../client/live.d.ts").Topic} LiveTopic */
/** @typedef {import("../../client/live.d.ts").FrameOf<"boards">} Frame */
/**
 * @typedef {object} Board
 * @property {ReadonlyArray<BoardRow>} rows
 * @property {Doubtful} told
 * @property {string} note
 * @property {number | null} seq
 */
/** @typedef {(chain: Chain, sort: string, signal: AbortSignal) => Promise<Board>} LoadBoard */
/** @typedef {Exclude<BoardName, "graduated">} Common */
/** @typedef {(chain: Chain, board: BoardName) => LoadBoard | null} LoaderOf */
/** @typedef {NonNullable<import("./types.d.ts").BoardInput["sort"]>} ServerSort */

const EVERY_MS = 10_000
const ROWS_MAX = 100
const DAY_SECONDS = 86_400
/** Orders that the server has, and tells live. @type {ReadonlyArray<ServerSort>} */
const SERVER_SORTS = ["volume", "trades", "traders", "change", "mcap"]
const FIRST_SORTS = { volume: "volume", movers: "change2h", new: "first", graduated: "first" }

/** @type {(sort: string) => ServerSort} */
const serverSort = sort => SERVER_SORTS.find(each => each === sort) ?? "volume"

/**
 * Rows of tokens whose first trade is of the day that ends with a second.
 *
 * @type {(rows: ReadonlyArray<BoardRow>, end: number) => ReadonlyArray<BoardRow>}
 */
const youngOf = (rows, end) => rows.filter(({ firstTradeTs }) => firstTradeTs > end - DAY_SECONDS)

/** @typedef {Pick<LiveTopic, "sort" | "includeUnlisted">} LiveBoard */
/**
 * What of the live boards a board shows; null where it is not live.
 *
 * @type {(board: BoardName, sort: string) => LiveBoard | null}
 */
const liveOf = (board, sort) => {
  if (board === "volume") return { sort: serverSort(sort) }
  return board === "new" ? { sort: "new", includeUnlisted: 1 } : null
}

/** How each board is read that all chains have. @type {{ readonly [Name in Common]: LoadBoard }} */
const LOADERS = {
  volume: async (chain, sort, signal) => {
    const asked = { limit: ROWS_MAX, sort: serverSort(sort) }
    const { body, seq } = await familyOf(chain.key).tokens(asked, { signal })
    const note = `${formatInteger(body.total)} listed tokens traded in 24 hours.`
    return { rows: body.tokens, told: body, note, seq }
  },
  movers: async (chain, _, signal) => {
    const { body, seq } = await familyOf(chain.key).trending({ signal })
    return { rows: body.tokens, told: body, note: `Rule: ${body.formula.text}.`, seq }
  },
  new: async (chain, _, signal) => {
    const asked = /** @type {const} */ ({ limit: ROWS_MAX, sort: "new", includeUnlisted: "1" })
    const { body, seq } = await familyOf(chain.key).tokens(asked, { signal })
    const note = `Tokens of which the log has the first trade in the last 24 hours, ${ROWS_MAX} at most.`
    return {
      rows: youngOf(body.tokens, secondOf(chain.key, body.updatedAt)),
      told: body,
      note,
      seq
    }
  }
}

/** How a chain's board is read; null where it has none. @type {LoaderOf} */
const loaderOf = (chain, board) => {
  if (board !== "graduated") return LOADERS[board]
  const load = graduatedOf(chain.key)
  return (
    load &&
    (async (_, __, signal) => {
      const { body, seq } = await load({ limit: ROWS_MAX }, { signal })
      return { rows: body.tokens, told: body, note: `Rule: ${formatRule(body.rule)}.`, seq }
    })
  )
}

/** @type {(chain: Chain, chosen: BoardName) => HTMLElement} */
const boardLinks = (chain, chosen) => {
  const links = BOARDS.filter(({ board }) => loaderOf(chain, board) !== null).map(
    ({ board, name }) => {
      const link = element("a", { class: "tab" }, name)
      link.href = writeRoute({ view: "boards", chain: chain.key, board, sort: null })
      if (board === chosen) link.setAttribute("aria-current", "page")
      return link
    }
  )
  return element("nav", { class: "tabs", "aria-label": "Boards" }, ...links)
}

/** Rows as frames tell them: all, then those that changed, and the order. */
const liveRows = () => {
  /** @type {Map<string, BoardRow>} */
  let rows = new Map()
  /** @type {ReadonlyArray<string>} */
  let order = []
  return (/** @type {Extract<Frame, { type: "board" }>} */ frame) => {
    if (frame.all) rows = new Map()
    for (const row of frame.tokens) rows.set(row.address, row)
    order = frame.order ?? order
    return order.flatMap(address => rows.get(address) ?? [])
  }
}

/** @type {(chain: Chain, board: BoardName, sort: string, tools: ViewTools) => void} */
const openBoard = (chain, board, sort, { box, live, signal, go }) => {
  const name = BOARDS.find(each => each.board === board)?.name ?? board
  const table = makeTable({
    name: `${name} on ${chain.name}`,
    columns: columnsOf(board, chain.key),
    keyOf: row => row.address,
    sorted: sort,
    onSort: wanted => go({ view: "boards", chain: chain.key, board, sort: wanted }, false)
  })
  const note = element("p", { class: "note" })
  const origin = element("span", { class: "origin" })
  const [caveats, message] = [caveatList(), element("div", { class: "message", role: "status" })]
  const title = element("h1", {}, `${chain.name}: ${name.toLowerCase()}`)
  const head = element("div", { class: "card-head" }, title, origin)
  const links = boardLinks(chain, board)
  box.replaceChildren(
    element("section", { class: "card" }, head, links, caveats, note, table.box, message)
  )
  const load = loaderOf(chain, board)
  if (load === null) {
    showMessage(message, { title: "No such board", text: `${chain.name} has no such board.` })
    return
  }
  showMessage(message, { title: "Loading the board…" })
  /** @type {(rows: ReadonlyArray<BoardRow>, seq: number | null) => void} */
  const show = (rows, seq) => {
    table.show(rows)
    setText(origin, seq === null ? "" : `log seq ${formatInteger(seq)}`)
    const none = { title: "No rows", text: "No token of this chain is on this board now." }
    showMessage(message, rows.length === 0 ? none : null)
  }
  let isLive = false
  follow({
    load: () => load(chain, sort, signal),
    everyMs: EVERY_MS,
    signal,
    onAnswer: answer => {
      setText(note, answer.note)
      showCaveats(caveats, caveatsOf(answer.told))
      if (!isLive) show(sortRows(answer.rows, sort), answer.seq)
    },
    onProblem: problem =>
      showMessage(message, {
        title: "No board",
        text: `${problem.message}. This page keeps trying.`
      })
  })
  const shown = liveOf(board, sort)
  if (shown === null) return
  const told = liveRows()
  const topic = /** @type {const} */ ({ channel: "boards", chain: chain.id, ...shown })
  const stop = live.subscribe(topic, {
    frame: frame => {
      if (frame.type !== "board") return
      isLive = true
      box.dataset["live"] = String(frame.seq)
      const rows = told(frame)
      show(board === "new" ? sortRows(youngOf(rows, frame.at), sort) : rows, frame.seq)
    },
    // a board is the present: it has nothing to resume from
    restart: () => undefined
  })
  signal.addEventListener("abort", () => {
    stop()
    delete box.dataset["live"]
  })
}

/** @type {(tools: ViewTools) => import("./types.d.ts").View} */
export const open = tools => {
  let isOpen = false
  return ({ route, chain }) => {
    if (isOpen || route.view !== "boards" || chain === null) return
    isOpen = true
    openBoard(chain, route.board, route.sort ?? FIRST_SORTS[route.board], tools)
  }
}
