// @ts-check
/** The page: joins the address bar, the pickers, the live socket and the views. */

import { createChartView } from "./chart.js"
import { byId, element, enableCopying, setText } from "./dom.js"
import { formatDuration } from "./format.js"
import { loadChains, loadTokens } from "./http.js"
import { createLive } from "./live.js"
import { createMarket } from "./market.js"
import { createMarketHeader } from "./market-header.js"
import { background, pause, untilDone } from "./retry.js"
import { createStore, readSelection, TIMEFRAMES, writeSelection } from "./state.js"
import { createStatusPanel, isDevchain } from "./status.js"
import { createTokenBox } from "./token-box.js"
import { createTapeView } from "./trades.js"

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
 * @property {string} tf
 */

const TOKENS_EVERY_MS = 30_000
const TOKENS_AGAIN_MS = 3000

const wanted = readSelection(location.search)
/** @type {PageState} */
const initial = { chains: [], lanes: [], tokens: [], chain: null, token: null, tf: wanted.tf }
const store = createStore(initial)
const lifetime = new AbortController().signal

// --- views -----------------------------------------------------------------------------------

const connection = byId("connection", HTMLButtonElement)
const live = createLive({
  url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/v1/ws/live`,
  onState: state => {
    connection.dataset["state"] = state.kind
    const texts = {
      open: () => "Live",
      connecting: () => "Connecting",
      waiting: () => "Reconnecting"
    }
    setText(byId("connection-text", HTMLElement), texts[state.kind]())
    connection.title =
      state.kind === "waiting"
        ? `${state.reason}; next try in ${formatDuration(state.delayMs / 1000)}, or click`
        : "Live connection: click to connect anew"
  },
  onRefusal: ({ error, message }) => {
    connection.title = `The server refused: ${message ?? error}`
  }
})
const header = createMarketHeader()
/** @type {ReturnType<typeof createMarket>} */
let market
const chart = createChartView({
  container: byId("chart", HTMLElement),
  legend: byId("legend", HTMLElement),
  onNeedOlder: () => market.loadOlderCandles()
})
const tape = createTapeView({ body: byId("tape", HTMLElement), decimals: chart.decimals })
market = createMarket({ live, chart, tape, header })
const status = createStatusPanel({
  body: byId("lanes", HTMLElement),
  age: byId("lanes-age", HTMLElement),
  message: byId("lanes-message", HTMLElement),
  nameOf: key => store.get().chains.find(each => each.key === key)?.name ?? key,
  onLanes: lanes => store.set({ lanes })
})

// --- pickers ---------------------------------------------------------------------------------

const chainBox = byId("chain", HTMLSelectElement)
const tokenBox = createTokenBox({ onChoose: token => chooseToken(token) })
const tabs = byId("timeframes", HTMLElement)

for (const { tf, name } of TIMEFRAMES) {
  const tab = element("button", { type: "button", "data-tf": tf, "aria-label": name }, tf)
  tab.addEventListener("click", () => store.set({ tf }))
  tabs.append(tab)
}
chainBox.addEventListener("change", () => {
  const chain = store.get().chains.find(each => String(each.id) === chainBox.value)
  if (chain) store.set({ chain, token: null, tokens: [] })
})

/** @type {(token: Token) => void} */
function chooseToken(token) {
  store.set({ token })
}

/** @type {(state: PageState) => void} chains without a lane can be seen but not picked */
const renderChains = ({ chains, lanes, chain }) => {
  const keys = new Set(lanes.map(lane => lane.chain))
  const options = chains.map(({ id, key, name }) => {
    const isOff = keys.size > 0 && !keys.has(key)
    const option = element("option", {}, isOff ? `${name} (off)` : name)
    option.value = String(id)
    option.disabled = isOff
    option.selected = id === chain?.id
    return option
  })
  const text = (/** @type {Iterable<HTMLOptionElement>} */ list) =>
    [...list].map(each => each.textContent).join()
  if (text(options) !== text(chainBox.options)) chainBox.replaceChildren(...options)
  chainBox.value = String(chain?.id ?? "")
  chainBox.disabled = chains.length === 0
}

/** @type {(state: PageState) => void} */
const renderBar = state => {
  const lane = state.lanes.find(each => each.chain === state.chain?.key)
  byId("simulated", HTMLElement).hidden = lane === undefined || !isDevchain(lane)
  for (const tab of tabs.querySelectorAll("button")) {
    tab.setAttribute("aria-pressed", String(tab.dataset["tf"] === state.tf))
  }
}

/** @type {(state: PageState, isNavigation: boolean) => void} */
const renderAddress = ({ chain, token, tf }, isNavigation) => {
  if (chain === null || token === null) return
  const search = writeSelection({ chain: String(chain.id), token: token.address, tf })
  if (search === location.search) return
  if (isNavigation) history.pushState(null, "", search)
  else history.replaceState(null, "", search)
}

store.subscribe((state, before) => {
  if (state.chains !== before.chains || state.lanes !== before.lanes) renderChains(state)
  renderBar(state)
  if (state.chain !== before.chain) {
    renderChains(state)
    status.choose(state.chain?.key ?? "")
    if (state.chain) followTokens(state.chain)
  }
  if (state.tokens !== before.tokens) tokenBox.setTokens(state.tokens)
  if (state.token !== before.token) tokenBox.setChosen(state.token)
  const { chain, token, tf } = state
  if (chain === null || token === null) return
  if (token === before.token && tf === before.tf && chain === before.chain) return
  market.open(chain, token, tf)
  renderAddress(state, before.token !== null && before.token.address !== token.address)
})

// --- data ------------------------------------------------------------------------------------

/** @type {(address: string) => Token} a token no list has: by its address alone */
const unlisted = address => ({
  address,
  symbol: null,
  name: null,
  priceUsd: null,
  change24hPct: null
})

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
  const named = address && (tokens.find(each => each.address === address) ?? unlisted(address))
  store.set({ tokens, token: named || firstOf(tokens) })
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
      const tokens = await untilDone(
        () => loadTokens(chain, signal),
        signal,
        problem => {
          if (problem === null || store.get().token !== null) return
          market.empty("No tokens", `${problem.message}. This page keeps trying.`)
        }
      )
      acceptTokens(tokens)
      await pause(tokens.length === 0 ? TOKENS_AGAIN_MS : TOKENS_EVERY_MS, signal)
    }
  }, signal)
}

/** @type {(chains: ReadonlyArray<Chain>, asked: string | null) => Chain | null} */
const chainOf = (chains, asked) =>
  chains.find(({ id, key }) => String(id) === asked || key === asked) ?? null

/** Resolves once the lanes are known, or cannot be had for now. */
const lanesKnown = () =>
  new Promise(resolve => {
    const stop = store.subscribe(({ lanes }) => {
      if (lanes.length > 0) resolve(stop())
    })
    if (store.get().lanes.length > 0) resolve(stop())
    setTimeout(() => resolve(stop()), 2000)
  })

const start = async () => {
  enableCopying()
  renderBar(store.get())
  const chains = await untilDone(
    () => loadChains(lifetime),
    lifetime,
    problem => {
      if (problem === null) return
      market.empty(
        "The server does not answer",
        `${problem.message}. Check that it runs (npm start); this page keeps trying.`
      )
    }
  )
  store.set({ chains })
  await lanesKnown()
  const served = chains.find(({ key }) => store.get().lanes.some(lane => lane.chain === key))
  const chain = chainOf(chains, wanted.chain) ?? served ?? chains[0] ?? null
  if (chain === null) market.empty("No chain is served", "Set RPC_<chain id> and start again.")
  else store.set({ chain })
}

connection.addEventListener("click", live.retryNow)
addEventListener("online", live.retryNow)
addEventListener("popstate", () => {
  const asked = readSelection(location.search)
  const { chains, chain, tokens } = store.get()
  const next = chainOf(chains, asked.chain) ?? chain
  if (next !== chain) store.set({ chain: next, token: null, tokens: [], tf: asked.tf })
  else if (asked.token) {
    const token = tokens.find(each => each.address === asked.token) ?? unlisted(asked.token)
    store.set({ token, tf: asked.tf })
  }
})
background(start, lifetime)
