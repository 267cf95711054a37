/**
 * What the server sends for the page: every path, its file and its content type. Nothing else
 * under this folder or in the packages is reachable.
 */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { securityHeaders } from "../security-headers.ts"

export interface StaticFile {
  /** exact path of the URL, without a query */
  readonly path: string
  readonly file: URL
  readonly contentType: string
}

const SCRIPT = "text/javascript; charset=utf-8"
const STYLE = "text/css; charset=utf-8"

const chartPackage = pathToFileURL(
  createRequire(import.meta.url).resolve("lightweight-charts/package.json")
)

/** Where scripts lie: a bundle has them in their shortest form (`scripts/bundled.mjs`). */
const scripts = new URL("../../", import.meta.url)

const asset = (name: string, contentType: string): StaticFile => ({
  path: `/assets/${name}`,
  file: new URL(`./${name}`, import.meta.url),
  contentType
})

const script = (name: string): StaticFile => ({
  path: `/assets/${name}`,
  file: new URL(`api/web/${name}`, scripts),
  contentType: SCRIPT
})

/** A file of the typed client, which whoever wants it can load from here as the page does. */
const clientFile = (name: string): StaticFile => ({
  path: `/client/${name}`,
  file: new URL(`client/${name}`, scripts),
  contentType: SCRIPT
})

/** Every static path; the page itself is `/`. */
export const staticFiles: ReadonlyArray<StaticFile> = [
  {
    path: "/",
    file: new URL("./index.html", import.meta.url),
    contentType: "text/html; charset=utf-8"
  },
  ...["style.css", "parts.css", "panels.css", "swap.css", "views.css"].map(name =>
    asset(name, STYLE)
  ),
  asset("icon.svg", "image/svg+xml"),
  ...[
    "addresses.js",
    "amounts.js",
    "app.js",
    "background.js",
    "badge.js",
    "board-columns.js",
    "boards.js",
    "candle-feed.js",
    "candle-history.js",
    "candle-list.js",
    "caveats.js",
    "chart-keys.js",
    "chart-legend.js",
    "chart-style.js",
    "chart-ticks.js",
    "chart-unit.js",
    "chart.js",
    "desk.js",
    "devchain-wallet.js",
    "dom.js",
    "family.js",
    "format.js",
    "holders-panel.js",
    "http.js",
    "market-header.js",
    "market.js",
    "marks.js",
    "origin.js",
    "pictures.js",
    "pools-panel.js",
    "quote-feed.js",
    "routes.js",
    "rows.js",
    "sign.js",
    "solana-ingest.js",
    "state.js",
    "status-view.js",
    "status.js",
    "swap-balance.js",
    "swap-build.js",
    "swap-calls.js",
    "swap-order.js",
    "swap-panel.js",
    "swap-route.js",
    "swap-sent.js",
    "swap-steps.js",
    "swap-words.js",
    "tape.js",
    "token-box.js",
    "token-tabs.js",
    "totals-read.js",
    "totals.js",
    "trade-feed.js",
    "trade-filters.js",
    "trades.js",
    "uptime.js",
    "wallet-view.js",
    "wallet.js",
    "why-candle.js",
    "why-flags.js",
    "why-panel.js",
    "why-price.js",
    "windows-panel.js"
  ].map(script),
  ...["client.js", "generated/routes.js", "live.js", "request.js", "retry.js"].map(clientFile),
  {
    path: "/vendor/lightweight-charts.mjs",
    // The build that brings its own dependencies: a browser resolves no bare imports.
    file: new URL("dist/lightweight-charts.standalone.production.mjs", chartPackage),
    contentType: SCRIPT
  },
  {
    path: "/vendor/lightweight-charts.LICENSE.txt",
    file: new URL("LICENSE", chartPackage),
    contentType: "text/plain; charset=utf-8"
  }
]

/**
 * Headers to send with every static file. The page needs no other origin and no inline script or
 * style; a token's name that got into the page as markup could load and send nothing.
 */
export const pageHeaders: Readonly<Record<string, string>> = securityHeaders({
  script: "'self'",
  style: "'self'",
  img: "'self' data:"
})
