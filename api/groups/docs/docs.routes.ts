/**
 * The API's description of itself: `/v1/openapi.json` from the declarations, and `/docs`, a page
 * that shows it and fetches nothing from elsewhere.
 */
import { createHash } from "node:crypto"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { keptFor, lastingResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { securityHeaders } from "../../security-headers.ts"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** How long a reader may keep them: they change with the engine's version alone. */
const KEPT_SECONDS = 300

const document = (version: string) =>
  HttpRouter.use(router => {
    const text = JSON.stringify(OpenApi.fromApi(Api))
    const response = lastingResponse(version, encoder.encode(text), "application/json")
    return router.add("GET", "/v1/openapi.json", keptFor(response, KEPT_SECONDS))
  })

/** What the page would offer of its maker's services: to share, to generate, to open elsewhere. */
const withoutOffers = { showDeveloperTools: "never", hideClientButton: true }

/** The page as the framework makes it, all in one. */
const scalarPage = Effect.gen(function* () {
  const router = yield* HttpRouter.make
  const scalar = { withDefaultFonts: false, favicon: "/assets/icon.svg", ...withoutOffers }
  yield* Layer.build(
    HttpApiScalar.layer(Api, { path: "/docs", scalar }).pipe(
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
 * Headers of the page: it may run its own scripts, which are told by their hashes, and talk to
 * this server; its styles are made by its scripts.
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

/** Made when it is first read: it has some megabytes. */
const page = (version: string) =>
  HttpRouter.use(router =>
    Effect.flatMap(
      Effect.cached(
        Effect.map(scalarPage, body => {
          const type = "text/html; charset=utf-8"
          const response = lastingResponse(version, body, type, headersOf(body))
          return keptFor(response, KEPT_SECONDS)
        })
      ),
      response => router.add("GET", "/docs", response)
    )
  )

export const docsRoutes = (version: string) => Layer.mergeAll(document(version), page(version))
