/** What a plain GET of the live socket's path is told. */
import { HttpRouter } from "effect/http"
import { refusalResponse } from "../answering.ts"

/** Path of the live socket. */
export const LIVE_PATH = "/v1/ws/live"

const message =
  `${LIVE_PATH} is a WebSocket: connect with ws:// or wss:// in place of http:// or https://; ` +
  "/docs has its messages"

export const livePlainRoute = HttpRouter.use(router =>
  router.add(
    "GET",
    LIVE_PATH,
    refusalResponse(
      { status: 426, code: "UPGRADE_REQUIRED", message },
      { upgrade: "websocket", connection: "Upgrade" }
    )
  )
)
