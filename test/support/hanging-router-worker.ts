/** The router's thread, which certain orders make hang, as nothing of its own is known to. */
import { openSync } from "node:fs"
import type { FromRouter, ToRouter } from "../../engine/trade/router-messages.ts"
import "../../src/bin/router-worker.ts"
import { parent } from "../../src/platform/worker.ts"

parent<ToRouter, FromRouter>().onMessage(message => {
  if (message.type !== "quote") return
  const { onlyDex } = message.order
  if (onlyDex === "endless") for (;;);
  // the system opens a pipe once somebody writes to it: no termination comes through before
  if (onlyDex?.startsWith("pipe ")) openSync(onlyDex.slice(5), "r")
})
