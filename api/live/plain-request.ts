/** The paths of the live streams, and what a request is told that got to the application there. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { refusalResponse } from "../answering.ts"

/** Path of the live socket. */
export const LIVE_PATH = "/v1/ws/live"

/** Path of the server-sent events. */
export const STREAM_PATH = "/v1/stream/market"

const message =
  `${LIVE_PATH} is a WebSocket: connect with ws:// or wss:// in place of http:// or https://; ` +
  "/v1/asyncapi.json has its messages"

const spelled = `write the path as ${STREAM_PATH}`

export const livePlainRoutes = HttpRouter.use(router =>
  Effect.andThen(
    router.add(
      "GET",
      LIVE_PATH,
      refusalResponse(
        { status: 426, code: "UPGRADE_REQUIRED", message },
        { upgrade: "websocket", connection: "Upgrade" }
      )
    ),
    // in other letters, or with slashes too many
    router.add(
      "GET",
      STREAM_PATH,
      refusalResponse({ status: 404, code: "NOT_FOUND", message: spelled })
    )
  )
)
