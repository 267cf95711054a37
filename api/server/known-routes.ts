/** Which methods a path takes: what makes `405 Method Not Allowed` of a wrong one. */
import { FindMyWay } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../api.ts"
import { staticFiles } from "../web/static-files.ts"

/** Routes that the API does not declare. */
const UNDECLARED = ["/docs", "/v1/openapi.json", "/v1/ws/live"] as const

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** A function that tells the methods of a URL's path; none where nothing answers there. */
export const allowedMethods = (
  maxParamLength: number
): ((url: string) => ReadonlyArray<string>) => {
  const router = FindMyWay.make<true>({ maxParamLength })
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => router.on(endpoint.method, endpoint.path as `/${string}`, true)
  })
  const files = staticFiles.map(({ path }) => path as `/${string}`)
  for (const path of [...UNDECLARED, ...files]) router.on("GET", path, true)
  return url =>
    METHODS.filter(method => router.find(method, url) !== undefined).flatMap(method =>
      method === "GET" ? ["GET", "HEAD"] : [method]
    )
}
