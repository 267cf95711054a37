/**
 * Which methods a path takes, what makes `405 Method Not Allowed` of a wrong one, and of which
 * declared route it is.
 */
import { FindMyWay } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../api.ts"
import { staticFiles } from "../web/static-files.ts"
import { byKeyOf } from "./named-chain.ts"
import { nearPath } from "./near-path.ts"

/** Routes that the API does not declare. */
const UNDECLARED = [
  "/docs",
  "/v1/openapi.json",
  "/v1/asyncapi.json",
  "/v1/ws/live",
  "/v1/stream/market"
] as const

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

export interface KnownRoutes {
  /** a URL as the routes have it, whichever way it names a chain of which they have the key */
  readonly byKey: (url: string) => string
  /** the methods of a URL's path; none where nothing answers there */
  readonly allowed: (url: string) => ReadonlyArray<string>
  /** the path that one where nothing answers was probably meant to be */
  readonly near: (path: string) => string | undefined
  /** the declared path that a URL is of, such as `/v1/token/:address`; null where none is */
  readonly routeOf: (url: string) => string | null
  /** whether a route of this method (in lower case) reads a body: those declared with POST do */
  readonly takesBody: (method: string, url: string) => boolean
}

export const knownRoutes = (maxParamLength: number): KnownRoutes => {
  const router = FindMyWay.make<string>({ maxParamLength })
  const declared = new Set<string>(UNDECLARED)
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      declared.add(endpoint.path)
      router.on(endpoint.method, endpoint.path as `/${string}`, endpoint.path)
    }
  })
  const files = staticFiles.map(({ path }) => path as `/${string}`)
  for (const path of [...UNDECLARED, ...files]) router.on("GET", path, path)
  return {
    byKey: byKeyOf([...declared]),
    allowed: url =>
      METHODS.filter(method => router.find(method, url) !== undefined).flatMap(method =>
        method === "GET" ? ["GET", "HEAD"] : [method]
      ),
    near: path => nearPath(path, [...declared]),
    routeOf: url => (router.find("GET", url) ?? router.find("POST", url))?.handler ?? null,
    takesBody: (method, url) => method === "post" && router.find("POST", url) !== undefined
  }
}
