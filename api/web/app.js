// @ts-check
/** The page: joins the address bar, the pickers, the live socket and the views. */

import { LiveSocket } from "../../client/live.js"
import { pause, untilDone } from "../../client/retry.js"
import { background } from "./background.js"
import { badgeOf } from "./badge.js"
import { ChartView } from "./chart.js"
import { devchainWallet } from "./devchain-wallet.js"
import { announce, byId, element, enableCopying, setText } from "./dom.js"
import { formatDateTime } from "./format.js"
import { loadChains, loadTokens, searchTokens } from "./http.js"
import { MarketView } from "./market.js"
import { MarketHeader } from "./market-header.js"
import { createStore, readSelection, TIMEFRAMES, writeSelection } from "./state.js"
import { createStatusPanel, isDevchain, isHistory } from "./status.js"
import { firstChoice } from "./swap-order.js"
import { SwapPanel } from "./swap-panel.js"
import { TokenBox, unlistedToken } from "./token-box.js"
import { TapeView } from "./trades.js"
import { findWallets } from "./wallet.js"

/** @typedef {import("./types.d.ts").Chain} Chain */
/** @typedef {import("./types.d.ts").Token} Token */
/** @typedef {import("./types.d.ts").LaneStatus} LaneStatus */
/**
 * @typedef {object} PageState
 * @property {ReadonlyArray<Chain>} chains
 * @property {ReadonlyArray<LaneStatus>} lanes
 * @property {ReadonlyArray<Token>} tokens of the chain on show
 * @property {Chain | null} chain
 * @property {Token | null} token
 * @property {import("./types.d.ts").Timeframe} tf
 * @property {import("./types.d.ts").SwapChoice | null} swap null while the panel is closed
 */

const TOKENS_EVERY_MS = 30_000
const TOKENS_AGAIN_MS = 3000

const wanted = readSelection(location.search)
/** @type {PageState} */
const initial = {
  chains: [],
  lanes: [],
  tokens: [],
  chain: null,
  token: null,
  tf: wanted.tf,
  swap: null
}
const store = createStore(initial)
const lifetime = new AbortController().signal

// --- views -----------------------------------------------------------------------------------

const connection = byId("connection", HTMLButtonElement)
/** @type {import("../../client/live.d.ts").ConnectionState} */
let connected = { kind: "connecting" }

/** The lane of the chain on show. @type {(state: PageState) => LaneStatus | undefined} */
const laneOf = ({ lanes, chain }) => lanes.find(each => each.chain === chain?.key)

/** @type {(state: PageState) => void} */
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
const header = new MarketHeader()
/** @type {MarketView} */
let market
const chart = new ChartView({
  container: byId("chart", HTMLElement),
  legend: byId("legend", HTMLElement),
  onNeedOlder: () => market.loadOlderCandles()
})
const tape = new TapeView(byId("tape", HTMLElement))
const swap = new SwapPanel({
  onChoice: choice => store.set({ swap: choice }),
  search: searchTokens,
  onSent: hash => tape.mark(hash)
})
market = new MarketView({
  ...{ live, chart, tape, header },
  onPrints: prints => swap.setPrinted(new Set(prints.map(({ trade }) => trade.tx)))
})
/** @type {ReadonlyArray<import("./types.d.ts").FoundWallet>} */
let ownWallets = []
/** Wallets of the browser, and on a simulated chain that chain's. */
const showWallets = () => {
  const { chain, chains, lanes } = store.get()
  const simulated = lanes.filter(isDevchain).map(lane => lane.chain)
  const ids = chains.filter(({ key }) => simulated.includes(key)).map(({ id }) => id)
  const isSimulated = chain !== null && simulated.includes(chain.key)
  swap.setWallets(isSimulated ? [...ownWallets, devchainWallet(ids, chain.id)] : ownWallets)
}
findWallets(window, wallets => {
  ownWallets = wallets
  showWallets()
})
const status = createStatusPanel({
  body: byId("lanes", HTMLElement),
  age: byId("lanes-age", HTMLElement),
  message: byId("lanes-message", HTMLElement),
  onLanes: lanes => store.set({ lanes })
})

// --- pickers ---------------------------------------------------------------------------------

const chainBox = byId("chain", HTMLSelectElement)
const tokenBox = new TokenBox({
  id: "token",
  onChoose: token => {
    const { chain, swap: choice } = store.get()
    // an open panel goes along, unless it trades the token already
    const isOther = choice !== null && ![choice.pay, choice.receive].includes(token.address)
    store.set({ token, ...(isOther && chain ? { swap: firstChoice(chain, token.address) } : {}) })
  },
  search: (text, signal) => {
    const { chain } = store.get()
    return chain === null ? Promise.resolve([]) : searchTokens(chain, text, signal)
  }
})
const tabs = byId("timeframes", HTMLElement)

for (const { tf, name } of TIMEFRAMES) {
  const tab = element("button", { type: "button", "data-tf": tf, "aria-label": name }, tf)
  tab.addEventListener("click", () => store.set({ tf }))
  tabs.append(tab)
}
chainBox.addEventListener("change", () => {
  const chain = store.get().chains.find(each => String(each.id) === chainBox.value)
  if (chain) store.set({ chain, token: null, tokens: [], swap: null })
})

const opener = byId("swap-open", HTMLButtonElement)
opener.addEventListener("click", () => {
  const { chain, token, swap: choice } = store.get()
  if (chain === null || token === null) return
  store.set({ swap: choice === null ? firstChoice(chain, token.address) : null })
  byId("swap-amount", HTMLInputElement).focus()
})
byId("swap-link", HTMLButtonElement).dataset["what"] = "Link"

/** @type {(state: PageState, before: PageState) => void} */
const renderSwap = (state, before) => {
  const { chain, token, tokens, swap: choice } = state
  opener.disabled = token === null
  opener.setAttribute("aria-expanded", String(choice !== null))
  const lane = laneOf(state)
  if (lane !== undefined) swap.moved(lane.seq)
  const kindBefore = laneOf(before)?.source?.kind
  if (chain !== before.chain || lane?.source?.kind !== kindBefore) showWallets()
  const isChanged =
    choice !== before.swap || chain !== before.chain || (choice && tokens !== before.tokens)
  if (isChanged) swap.show(chain === null || choice === null ? null : { chain, tokens, choice })
}

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
  byId("simulated", HTMLElement).hidden = lane === undefined || !isDevchain(lane)
  const past = byId("history", HTMLElement)
  past.hidden = lane === undefined || !isHistory(lane)
  setText(past, past.hidden ? "" : `history: the log up to ${formatDateTime(lane?.blockTime)} UTC`)
  renderLink(state)
  for (const tab of tabs.querySelectorAll("button")) {
    tab.setAttribute("aria-pressed", String(tab.dataset["tf"] === state.tf))
  }
}

/**
 * Another market is worth a step back; another interval is not.
 *
 * @type {(state: PageState) => void}
 */
const renderAddress = ({ chain, token, tf, swap: choice }) => {
  if (chain === null || token === null) return
  const search = writeSelection({
    ...{ chain: String(chain.id), token: token.address, tf, swap: choice }
  })
  byId("swap-link", HTMLButtonElement).dataset["copy"] = `${location.origin}/${search}`
  if (search === location.search) return
  const now = readSelection(location.search)
  const isSameChain = now.chain === String(chain.id) || now.chain === chain.key
  const isStep = now.token !== null && (now.token !== token.address || !isSameChain)
  if (isStep) history.pushState(null, "", search)
  else history.replaceState(null, "", search)
}

store.subscribe((state, before) => {
  renderBar(state)
  if (state.chains !== before.chains || state.chain !== before.chain) renderChains(state)
  if (state.chain !== before.chain) {
    status.choose(state.chain?.key ?? "")
    if (state.chain) followTokens(state.chain)
  }
  if (state.tokens !== before.tokens) tokenBox.setTokens(state.tokens)
  if (state.token !== before.token) tokenBox.setChosen(state.token)
  renderSwap(state, before)
  const { chain, token, tf } = state
  if (chain === null || token === null) return
  const isSameMarket = token === before.token && tf === before.tf && chain === before.chain
  if (!isSameMarket) market.open(chain, token, tf)
  if (!isSameMarket || state.swap !== before.swap) renderAddress(state)
})

// --- data ------------------------------------------------------------------------------------

/**
 * The market to open first: the first whose price moves (a dollar at exactly $1 is no sight).
 *
 * @type {(tokens: ReadonlyArray<Token>) => Token | null}
 */
const firstOf = tokens =>
  tokens.find(each => each.priceUsd !== null && each.priceUsd !== 1) ?? tokens[0] ?? null

/** @type {(tokens: ReadonlyArray<Token>) => void} */
const acceptTokens = tokens => {
  const { token, chain } = store.get()
  if (token !== null) {
    store.set({ tokens })
    const listed = tokens.find(each => each.address === token.address)
    if (listed) header.refresh(listed)
    return
  }
  const asked = readSelection(location.search)
  const isAsked = asked.chain === String(chain?.id) || asked.chain === chain?.key
  const address = isAsked ? asked.token : null
  const named = address && (tokens.find(each => each.address === address) ?? unlistedToken(address))
  store.set({ tokens, token: named || firstOf(tokens), swap: isAsked ? asked.swap : null })
  if (store.get().token === null) {
    market.empty("No token has traded here yet", "The page looks again every few seconds.")
  }
}

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
        onProblem: problem => {
          if (problem === null || store.get().token !== null) return
          market.empty("No tokens", `${problem.message}. This page keeps trying.`)
        }
      })
      acceptTokens(tokens)
      await pause(tokens.length === 0 ? TOKENS_AGAIN_MS : TOKENS_EVERY_MS, signal)
    }
  }, signal)
}

/** @type {(chains: ReadonlyArray<Chain>, asked: string | null) => Chain | null} */
const chainOf = (chains, asked) =>
  chains.find(({ id, key }) => String(id) === asked || key === asked) ?? null

const start = async () => {
  enableCopying()
  renderBar(store.get())
  const chains = await untilDone(() => loadChains(lifetime), {
    signal: lifetime,
    onProblem: problem => {
      if (problem === null) return
      market.empty(
        "The server does not answer",
        `${problem.message}. Check that it runs (npm start); this page keeps trying.`
      )
    }
  })
  store.set({ chains })
  const asked = chainOf(chains, wanted.chain)
  if (wanted.chain !== null && asked === null) announce(`Chain ${wanted.chain} is not served here`)
  const chain = asked ?? chains[0] ?? null
  if (chain === null) market.empty("No chain is served", "Set RPC_<chain id> and start again.")
  else store.set({ chain })
}

connection.addEventListener("click", () => live.retryNow())
addEventListener("online", () => live.retryNow())
addEventListener("popstate", () => {
  const asked = readSelection(location.search)
  const { chains, chain, tokens } = store.get()
  const next = chainOf(chains, asked.chain) ?? chain
  if (next !== chain) store.set({ chain: next, token: null, tokens: [], tf: asked.tf, swap: null })
  else if (asked.token) {
    const token = tokens.find(each => each.address === asked.token) ?? unlistedToken(asked.token)
    store.set({ token, tf: asked.tf, swap: asked.swap })
  }
})
background(start, lifetime)
