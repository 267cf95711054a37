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

const asset = (name: string, contentType: string): StaticFile => ({
  path: `/assets/${name}`,
  file: new URL(`./${name}`, import.meta.url),
  contentType
})

/** A file of the typed client, which whoever wants it can load from here as the page does. */
const clientFile = (name: string): StaticFile => ({
  path: `/client/${name}`,
  file: new URL(`../../client/${name}`, import.meta.url),
  contentType: SCRIPT
})

/** Every static path; the page itself is `/`. */
export const staticFiles: ReadonlyArray<StaticFile> = [
  {
    path: "/",
    file: new URL("./index.html", import.meta.url),
    contentType: "text/html; charset=utf-8"
  },
  ...["style.css", "parts.css", "panels.css", "swap.css"].map(name => asset(name, STYLE)),
  asset("icon.svg", "image/svg+xml"),
  ...[
    "amounts.js",
    "app.js",
    "background.js",
    "badge.js",
    "candle-feed.js",
    "candle-history.js",
    "candle-list.js",
    "chart-keys.js",
    "chart-legend.js",
    "chart-style.js",
    "chart.js",
    "devchain-wallet.js",
    "dom.js",
    "format.js",
    "http.js",
    "market-header.js",
    "market.js",
    "quote-feed.js",
    "state.js",
    "status.js",
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
    "trade-feed.js",
    "trades.js",
    "wallet.js"
  ].map(name => asset(name, SCRIPT)),
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
