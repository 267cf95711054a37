/** A copy of uWebSockets' request, which is invalid once its callback has returned. */
import type { UwsRequest } from "../../src/platform/uws.ts"

/** What the server reads of a request. */
export type RequestRead = Pick<UwsRequest, "forEach" | "getMethod" | "getQuery" | "getUrl">

/** Returns a copy that can be read at any time. */
export const keptRequest = (request: RequestRead): RequestRead => {
  const [url, method, query] = [request.getUrl(), request.getMethod(), request.getQuery()]
  const headers: Array<readonly [name: string, value: string]> = []
  request.forEach((name, value) => {
    headers.push([name, value])
  })
  return {
    getUrl: () => url,
    getMethod: () => method,
    getQuery: () => query,
    forEach: use => {
      for (const [name, value] of headers) use(name, value)
    }
  }
}
