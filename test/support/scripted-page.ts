/** A tab of Chromium before a scripted server: the tab is of a test file, the server of a test. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest"
import { openPage, untilFilled, type WatchedPage } from "./browser.ts"
import { type PageServer, startPageServer } from "./page-server.ts"

/** How the server refuses while its tables are not built. */
export const REFUSED = {
  status: 503,
  error: "NOT_READY",
  message: "base: the tables are not built yet"
}

/**
 * Registers what starts and ends both, and looks after each test for faults of the page's own. To
 * be called once in the `describe` of the tests; what it returns is there within tests.
 */
export const scriptedPage = () => {
  let server: PageServer
  let watched: WatchedPage

  beforeAll(async () => {
    watched = await openPage("about:blank", "about:blank")
  })
  afterAll(() => watched?.close())
  beforeEach(async () => {
    server = await startPageServer()
  })
  afterEach(async () => {
    await watched.page.goto("about:blank")
    await server.close()
    expect(watched.faultsOfItsOwn()).toEqual([])
  })

  const open = async (symbol: string) => {
    const { chain, address } = server.market(symbol)
    await watched.load(`/#/${chain}/token/${address}?tf=1m`, server.url)
  }
  return {
    get server() {
      return server
    },
    get watched() {
      return watched
    },
    get page() {
      return watched.page
    },
    /** Loads the page of a token. */
    open,
    /** Loads it, until what trades from now on comes by the socket. */
    openFilled: async (symbol: string) => {
      await open(symbol)
      await untilFilled(watched.page)
      await expect.poll(() => server.subscriptions.length).toBeGreaterThanOrEqual(3)
    }
  }
}
