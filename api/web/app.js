// @ts-check
/** The page: reads what stands behind the address, and shows the view of it. */

import { LiveSocket } from "../../client/live.js"
import { pause, untilDone } from "../../client/retry.js"
import { readAccount, tokenMeant } from "./addresses.js"
import { background } from "./background.js"
import { badgeOf } from "./badge.js"
import { byId, element, enableCopying, setText, showMessage } from "./dom.js"
import { formatDateTime } from "./format.js"
import { loadChains, loadTokens, searchTokens } from "./http.js"
import { FIRST_BOARD, readRoute, routeOfQuery, tokenRoute, writeRoute } from "./routes.js"
import { createStore } from "./state.js"
import { createStatusPanel, isHistory, laneOf, simulatedWords } from "./status.js"
import { firstChoice, tradedChain } from "./swap-order.js"
import { TokenBox, unlistedToken } from "./token-box.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").PageRoute} PageRoute */
/** @typedef {import("./types.d.ts").PageState} PageState */
/** @typedef {import("./types.d.ts").View} View */
/** @typedef {import("./types.d.ts").ViewTools} ViewTools */

const TOKENS_EVERY_MS = 30_000
const TOKENS_AGAIN_MS = 3000

/** @typedef {{ readonly open: (tools: ViewTools) => View }} ViewModule */
/** The views, each loaded when it is first shown. */
/** @type {{ readonly [view: string]: { name: string, load: () => Promise<ViewModule> } }} */
const VIEWS = {
  boards: { name: "Boards", load: () => import("./boards.js") },
  token: { name: "Token", load: () => import("./desk.js") },
  wallet: { name: "Wallet", load: () => import("./wallet-view.js") },
  totals: { name: "Totals", load: () => import("./totals.js") },
  status: { name: "Status", load: () => import("./status-view.js") }
}

const query = routeOfQuery(location.search)
if (location.hash === "" && query !== null) history.replaceState(null, "", `/${query}`)

/** @type {PageState} */
const initial = {
  ...{ chains: [], status: null, tokens: null, chain: null },
  route: readRoute(location.hash)
}
const store = createStore(initial)
const lifetime = new AbortController().signal

// --- where the page is -----------------------------------------------------------------------

/** @type {(chains: ReadonlyArray<Chain>, named: string) => Chain | undefined} */
const chainOf = (chains, named) =>
  chains.find(({ id, key }) => String(id) === named || key === named)

/** @type {(chain: Chain) => PageRoute} */
const homeOf = chain => ({ view: "boards", chain: chain.key, board: FIRST_BOARD, sort: null })

/**
 * A route as its chain's answers name what it is of: the chain by its key, the token as one.
 *
 * @type {(route: PageRoute, chain: Chain) => PageRoute}
 */
const meantBy = (route, chain) => {
  if (!("chain" in route)) return route
  const named = { ...route, chain: chain.key }
  return named.view === "token" ? { ...named, token: tokenMeant(chain, named.token) } : named
}

/** Takes a route as what is shown, as it is meant. @type {(route: PageRoute) => void} */
const accept = route => {
  const { chains, chain: before, tokens } = store.get()
  const first = chains[0]
  if (first === undefined) {
    store.set({ route })
    return
  }
  if (route.view === "home") {
    go(homeOf(before ?? first), false)
    return
  }
  const named = "chain" in route ? chainOf(chains, route.chain) : (before ?? first)
  const meant = named ? meantBy(route, named) : route
  if (writeRoute(meant) !== writeRoute(route)) {
    go(meant, false)
    return
  }
  const chain = named ?? before ?? first
  store.set({ route, chain, tokens: chain === before ? tokens : null })
}

/** @type {(route: PageRoute, isStep: boolean) => void} */
function go(route, isStep) {
  const hash = writeRoute(route)
  if (hash !== location.hash) {
    if (isStep) history.pushState(null, "", `/${hash}`)
    else history.replaceState(null, "", `/${hash}`)
  }
  accept(route)
}

addEventListener("hashchange", () => accept(readRoute(location.hash)))

// --- what is always there --------------------------------------------------------------------

const connection = byId("connection", HTMLButtonElement)
/** @type {import("../../client/live.d.ts").ConnectionState} */
let connected = { kind: "connecting" }

/** @type {(page: PageState) => void} */
const renderLink = page => {
  const { state, text, title } = badgeOf(connected, laneOf(page))
  connection.dataset["state"] = state
  setText(byId("connection-text", HTMLElement), text)
  connection.title = title
}
const live = new LiveSocket({
  onState: state => {
    connected = state
    renderLink(store.get())
  }
})
const status = createStatusPanel({
  body: byId("lanes", HTMLElement),
  age: byId("lanes-age", HTMLElement),
  message: byId("lanes-message", HTMLElement),
  onStatus: now => store.set({ status: now })
})
connection.addEventListener("click", () => live.retryNow())
addEventListener("online", () => live.retryNow())

const tokenBox = new TokenBox({
  id: "token",
  onChoose: ({ address: token }) => {
    const { chain, route } = store.get()
    if (chain === null) return
    const isToken = route.view === "token"
    const choice = isToken ? route.swap : null
    const plain = tokenRoute(chain.key, token)
    // an open swap panel goes along, unless it trades the token already
    const isOther = choice !== null && ![choice.pay, choice.receive].includes(token)
    const traded = tradedChain(chain)
    const swap = isOther && traded !== null ? firstChoice(traded, token) : choice
    go({ ...plain, tf: isToken ? route.tf : plain.tf, swap }, true)
  },
  search: (text, signal) => {
    const { chain } = store.get()
    return chain === null ? Promise.resolve([]) : searchTokens(chain, text, signal)
  }
})
// as on many pages: a slash looks for something
addEventListener("keydown", event => {
  const { target } = event
  const isTyping = target instanceof HTMLElement && target.matches("input, select, textarea")
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  byId("token", HTMLInputElement).focus()
})

const chainBox = byId("chain", HTMLSelectElement)
chainBox.addEventListener("change", () => {
  const { chains, route } = store.get()
  const chain = chainOf(chains, chainBox.value)
  if (chain === undefined) return
  // a token is of one chain, a wallet may be of all that write accounts as this one does
  const isElsewhere = route.view === "wallet" && readAccount(chain.key, route.wallet) === null
  const isKept = "chain" in route && route.view !== "token" && !isElsewhere
  go(isKept ? { ...route, chain: chain.key } : homeOf(chain), true)
})

/** @type {(state: PageState) => void} */
const renderChains = ({ chains, chain }) => {
  const options = chains.map(({ id, name }) => {
    const option = element("option", {}, name)
    option.value = String(id)
    return option
  })
  chainBox.replaceChildren(...options)
  chainBox.value = String(chain?.id ?? "")
  chainBox.disabled = chains.length === 0
}

/** @type {(state: PageState) => void} */
const renderBar = state => {
  const lane = laneOf(state)
  const simulated = byId("simulated", HTMLElement)
  simulated.hidden = !lane?.simulated
  setText(simulated, simulatedWords(state.chain?.key ?? ""))
  const past = byId("history", HTMLElement)
  past.hidden = lane === undefined || !isHistory(lane)
  setText(past, past.hidden ? "" : `history: the log up to ${formatDateTime(lane?.blockTime)} UTC`)
  renderLink(state)
}

/** The bar's links, to pages of the chain on show. @type {(state: PageState) => void} */
const renderNav = ({ route, chain }) => {
  /** @type {ReadonlyArray<readonly [string, PageRoute | null]>} */
  const links = [
    ["to-boards", chain && homeOf(chain)],
    ["to-totals", chain && { view: "totals", chain: chain.key }],
    ["to-status", { view: "status" }]
  ]
  for (const [id, to] of links) {
    const link = byId(id, HTMLAnchorElement)
    if (to === null) continue
    link.href = writeRoute(to)
    if (route.view === to.view) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
  }
}

/** @type {(state: PageState) => void} */
const renderTokens = ({ route, chain, tokens }) => {
  if (tokens !== null) tokenBox.setTokens(tokens, chain?.key ?? "")
  const address = route.view === "token" ? route.token : null
  const listed = tokens?.find(each => each.address === address)
  tokenBox.setChosen(address === null ? null : (listed ?? unlistedToken(address)))
}

// --- the view --------------------------------------------------------------------------------

const [desk, box] = [byId("desk", HTMLElement), byId("view", HTMLElement)]
let ending = new AbortController()
/** Which view is opened, of what. @type {string | null} */
let opened = null
/** @type {View | null} */
let render = null

/** What a view is opened for: another one is opened anew. @type {(state: PageState) => string} */
const keyOf = ({ route, chain }) => {
  if (chain === null || route.view === "home") return "none"
  const isElsewhere = "chain" in route && route.chain !== chain.key
  if (isElsewhere) return `unknown ${route.chain}`
  return route.view === "token" ? "token" : `${route.view} ${writeRoute(route)}`
}

/** In place of a view. @type {(message: Parameters<typeof showMessage>[1]) => void} */
const say = message => {
  const part = element("div", { class: "message", role: "status" })
  // every page has a heading
  box.replaceChildren(element("h1", { class: "hidden" }, "swaptape"), part)
  showMessage(part, message)
}

/** @type {(state: PageState) => void} */
const sayUnknown = ({ route, chains }) => {
  const names = chains.map(({ key }) => key).join(", ")
  const [title, text] =
    "chain" in route
      ? [`Chain ${route.chain} is not served here`, `There are ${names}.`]
      : ["There is no such page", "Nothing of this page has the address that you opened."]
  say({
    title,
    text,
    action: { label: "To the boards", run: () => go({ view: "home" }, true) }
  })
}

/** @type {(state: PageState) => Promise<void>} */
const openView = async state => {
  ending.abort(new Error("another view is shown"))
  ending = new AbortController()
  const { signal } = ending
  render = null
  box.replaceChildren()
  const view = (opened ?? "").startsWith("unknown") ? undefined : VIEWS[state.route.view]
  const isDesk = state.route.view === "token" && view !== undefined
  desk.hidden = !isDesk
  box.hidden = isDesk
  document.body.dataset["view"] = isDesk ? "token" : "list"
  document.title = view === undefined ? "swaptape" : `${view.name} · swaptape`
  if (view === undefined) {
    sayUnknown(state)
    return
  }
  const part = await view.load().catch(() => null)
  if (signal.aborted) return
  if (part === null) {
    box.hidden = false
    desk.hidden = true
    const again = { label: "Load the page again", run: () => location.reload() }
    say({ title: "A part of the page could not be loaded", action: again })
    return
  }
  render = part.open({ live, box, signal, go })
  render(store.get())
}

store.subscribe((state, before) => {
  renderBar(state)
  if (state.chains !== before.chains || state.chain !== before.chain) renderChains(state)
  if (state.chain !== before.chain) {
    status.choose(state.chain?.key ?? "")
    if (state.chain) followTokens(state.chain)
  }
  if (state.chain !== before.chain || state.route !== before.route) renderNav(state)
  if (state.tokens !== before.tokens || state.route !== before.route) renderTokens(state)
  const key = keyOf(state)
  if (key === "none") return
  if (key === opened) {
    render?.(state)
    return
  }
  opened = key
  background(() => openView(state), lifetime)
})

// --- data ------------------------------------------------------------------------------------

let tokensEnding = new AbortController()

/** @type {(chain: Chain) => void} */
function followTokens(chain) {
  tokensEnding.abort()
  tokensEnding = new AbortController()
  const { signal } = tokensEnding
  background(async () => {
    for (;;) {
      const tokens = await untilDone(() => loadTokens(chain, signal), {
        signal,
        // a token is shown by its address then, and its parts say what is wrong
        onProblem: problem => {
          if (problem !== null && store.get().tokens === null) store.set({ tokens: [] })
        }
      })
      store.set({ tokens })
      await pause(tokens.length === 0 ? TOKENS_AGAIN_MS : TOKENS_EVERY_MS, signal)
    }
  }, signal)
}

const start = async () => {
  enableCopying()
  renderBar(store.get())
  const chains = await untilDone(() => loadChains(lifetime), {
    signal: lifetime,
    onProblem: problem => {
      if (problem === null) return
      const text = `${problem.message}. Check that it runs (npm start); this page keeps trying.`
      say({ title: "The server does not answer", text })
    }
  })
  store.set({ chains })
  if (chains.length > 0) accept(store.get().route)
  else say({ title: "No chain is served", text: "Set RPC_<chain id> and start again." })
}
background(start, lifetime)
