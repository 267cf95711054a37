/**
 * The API's description of itself: `/v1/openapi.json` from the declarations, and `/docs`, a page
 * that shows it and fetches nothing from elsewhere.
 */
import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { lastingResponse } from "../../answering.ts"
import { Api } from "../../api.ts"

const encoder = new TextEncoder()

const document = (version: string) =>
  HttpRouter.use(router => {
    const text = JSON.stringify(OpenApi.fromApi(Api))
    const response = lastingResponse(version, encoder.encode(text), "application/json")
    return router.add("GET", "/v1/openapi.json", response)
  })

export const docsRoutes = (version: string) =>
  Layer.mergeAll(
    document(version),
    HttpApiScalar.layer(Api, {
      path: "/docs",
      scalar: { withDefaultFonts: false, favicon: "/assets/icon.svg" }
    })
  )
