/** The router's thread, which certain orders make hang, as nothing of its own is known to. */
import { openSync } from "node:fs"
import type { FromRouter, ToRouter } from "../../engine/trade/router-messages.ts"
import "../../src/bin/router-worker.ts"
import { parent } from "../../src/platform/worker.ts"

const never = new Int32Array(new SharedArrayBuffer(4))

parent<ToRouter, FromRouter>().onMessage(message => {
  if (message.type !== "quote") return
  const { onlyDex } = message.order
  // a loop that leaves the processor to others, and never lets the thread's own events in
  if (onlyDex === "endless") for (;;) Atomics.wait(never, 0, 0, 20)
  // the system opens a pipe once somebody writes to it: no termination comes through before
  if (onlyDex?.startsWith("pipe ")) openSync(onlyDex.slice(5), "r")
})
