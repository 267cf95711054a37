/**
 * Serves the API's descriptions: `/v1/openapi.json` and `/v1/asyncapi.json` from the declarations,
 * and `/docs`, a page that shows the first and loads nothing from other servers.
 */
import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { keptFor, lastingResponse } from "../../answering.ts"
import { ShownApi } from "../../api.ts"
import { shownDescription } from "../../description.ts"
import { liveDescription } from "../../live/live-description.ts"
import { securityHeaders } from "../../security-headers.ts"
import { CONTRACT_VERSION } from "../changelog/contract-changes.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Seconds that a reader may keep both, which change only with the engine's version. */
const KEPT_SECONDS = 300

type Made = Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Serves what is made at the first request: a start would wait a sixth of a second for both. */
const madeOnce = (path: `/${string}`, made: Made) =>
  HttpRouter.use(router =>
    Effect.flatMap(Effect.cached(made), response => router.add("GET", path, response))
  )

const document = (version: string, described: Effect.Effect<object>): Made =>
  Effect.map(described, description => {
    const text = JSON.stringify(description)
    const response = lastingResponse(version, encoder.encode(text), "application/json")
    return keptFor(response, KEPT_SECONDS)
  })

/** Options that hide the page maker's services: sharing, generating code, opening elsewhere. */
const withoutOffers = { showDeveloperTools: "never", hideClientButton: true }

/** Returns the page's bytes, with scripts inline, as the framework makes them. */
const scalarPage = Effect.gen(function* () {
  const router = yield* HttpRouter.make
  const scalar = { withDefaultFonts: false, favicon: "/assets/icon.svg", ...withoutOffers }
  yield* Layer.build(
    HttpApiScalar.layer(ShownApi, { path: "/docs", scalar }).pipe(
      Layer.provide(Layer.succeed(HttpRouter.HttpRouter, router))
    )
  )
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
  const { body } = yield* Effect.provideService(
    router.asHttpEffect(),
    HttpServerRequest.HttpServerRequest,
    request
  )
  return body._tag === "Uint8Array" ? body.body : yield* Effect.die("the docs page has no text")
}).pipe(Effect.scoped, Effect.orDie)

/**
 * Returns the page's security headers. They allow its own inline scripts by their hashes, requests
 * to this server, and inline styles, which those scripts make.
 */
const headersOf = (page: Uint8Array): Readonly<Record<string, string>> => {
  const scripts = decoder.decode(page).matchAll(/<script>([\s\S]*?)<\/script>/g)
  const hashes = Array.from(scripts, ([, script = ""]) => {
    const hash = createHash("sha256").update(script).digest("base64")
    return `'sha256-${hash}'`
  })
  return securityHeaders({
    script: hashes.join(" "),
    style: "'unsafe-inline'",
    img: "'self' data: blob:",
    font: "'self' data:"
  })
}

const page = (version: string): Made =>
  Effect.map(scalarPage, body => {
    const response = lastingResponse(version, body, "text/html; charset=utf-8", headersOf(body))
    return keptFor(response, KEPT_SECONDS)
  })

/** @param address host and port at which the server listens */
export const docsRoutes = (version: string, address: Effect.Effect<string>) =>
  Layer.mergeAll(
    madeOnce("/v1/openapi.json", document(version, Effect.sync(shownDescription))),
    madeOnce(
      "/v1/asyncapi.json",
      document(
        version,
        Effect.map(address, listens => liveDescription(CONTRACT_VERSION, listens))
      )
    ),
    madeOnce("/docs", page(version))
  )
