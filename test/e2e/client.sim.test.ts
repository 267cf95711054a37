/**
 * The typed client on an engine of its own process over a simulated chain: every route, the live
 * socket through connections that are cut, the examples of the client's README as they stand, and
 * the docs page that is made of the same contract.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { swaptape } from "../../client/client.js"
import type { Trade } from "../../client/generated/routes.d.ts"
import type { Socket } from "../../client/live.d.ts"
import { LiveSocket } from "../../client/live.js"
import { chromiumPath, openPage } from "../support/browser.ts"
import { temporaryFolder } from "../support/nats.ts"
import { random } from "../support/seed.ts"
import { SwapStage } from "../support/swap-stage.ts"
import { ownInputs, walkRoutes } from "../support/walk-routes.ts"

const BASE = { id: 8453, key: "base" }
const WETH = "0x4200000000000000000000000000000000000006"
const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"

let stage: SwapStage
beforeAll(async () => {
  stage = await SwapStage.open()
})
afterAll(() => stage?.close())

/** What this engine has not: other chains' families, transfers, a chain that goes on by itself. */
const REFUSED =
  /^(getHealth (CHAIN_DATA_UNAVAILABLE|NOT_READY)|\w*(Arc|Rh|arc|rh|solana)[A-Z]\w* CHAIN_NOT_ENABLED|getChainHolders HOLDERS_PENDING|getKey API_KEY_REQUIRED|postDevchainWallet NOT_FOUND)$/

const tradesNow = async (): Promise<ReadonlyArray<Trade>> => {
  const { body } = await swaptape({ url: stage.engine.url }).getTokenTrades({
    ...{ chain: "base", address: USDC, limit: 500 }
  })
  return body.trades
}

describe("the client on a real engine", () => {
  it("asks every route, and gets what the contract says", async () => {
    const trades = await tradesNow()
    const middle = trades[trades.length >> 1] as Trade
    const asked = {
      ...{ chain: BASE, tokens: [USDC, WETH], wallets: [middle.wallet ?? "", stage.account] },
      pools: [...new Set(trades.map(({ pool }) => pool))].slice(0, 2),
      ...{ minutes: [middle.ts - (middle.ts % 60)], middle }
    }
    const client = swaptape({ url: stage.engine.url })
    const order = { inputMint: WETH, outputMint: USDC, amount: String(10n ** 18n) }
    const own = ownInputs(client, order, BASE, stage.account)
    const walked = await walkRoutes(client, asked, own, queries => queries.slice(0, 2))
    expect(walked.filter(({ issue }) => issue !== null)).toEqual([])
    const refused = walked.filter(({ came }) => came !== "ok")
    const told = [...new Set(refused.map(({ route, came }) => `${route} ${came}`))]
    expect(told.filter(one => !REFUSED.test(one))).toEqual([])
    expect(new Set(walked.map(({ route }) => route)).size).toBe(Object.keys(client).length)
  })

  it("has each trade once, however often its socket is cut", async () => {
    const client = swaptape({ url: stage.engine.url })
    const page = await client.getChainTrades({ chain: "base", address: USDC, limit: 500 })
    const sockets: WebSocket[] = []
    const live = new LiveSocket({
      url: stage.engine.url,
      open: address => {
        const socket = new WebSocket(address)
        sockets.push(socket)
        return socket as unknown as Socket
      }
    })
    const heard: string[] = []
    const restarts: unknown[] = []
    const nameOf = ({ tx, logIndex }: Trade) => `${tx}:${logIndex}`
    live.subscribe(
      { channel: "trades", chain: "base", token: USDC },
      {
        frame: frame => {
          if (frame.type === "trade") heard.push(nameOf(frame.trade))
        },
        restart: why => restarts.push(why)
      },
      page
    )
    const draw = random("client/cuts")
    for (let cuts = 0; cuts < 8; cuts++) {
      const traded = stage.trade(1)
      // before it is sent, in the middle, or after
      await sleep(draw.integer(0, 300))
      sockets.at(-1)?.terminate()
      live.retryNow()
      await traded
    }
    const before = new Set(page.body.trades.map(nameOf))
    const news = async () => (await tradesNow()).map(nameOf).filter(name => !before.has(name))
    const expected = (await news()).reverse()
    expect(expected.length).toBeGreaterThan(10)
    await expect.poll(() => heard).toEqual(expected)
    expect([restarts, sockets.length > 8]).toEqual([[], true])
    live.close()
  })
})

/** The TypeScript examples of the README, in their order. */
const examples = (): ReadonlyArray<string> => {
  const text = readFileSync("client/README.md", "utf8")
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code)
}

describe("the README's examples", () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  it("have the types that they are said to have, and run", async () => {
    const packages = join(folder.path, "node_modules")
    mkdirSync(packages)
    symlinkSync(join(process.cwd(), "client"), join(packages, "swaptape-client"))
    writeFileSync(join(folder.path, "package.json"), '{ "type": "module" }')
    const paths = examples().map((code, i) => {
      const [imports = "", body = ""] = code.split(/\n\n(?!import)([\s\S]*)/)
      const given =
        'import type { Socket } from "swaptape-client/live"\n' +
        "export const example = async (url: string, console: { log: (...words: unknown[]) => void }," +
        " open: (address: string) => Socket) => {\n"
      const path = join(folder.path, `example-${i}.ts`)
      writeFileSync(path, `${imports}\n${given}${body}\nreturn open\n}\n`)
      return path
    })
    expect(paths.length).toBe(4)
    const options: ts.CompilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
      ...{
        target: ts.ScriptTarget.ES2023,
        lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
        skipDefaultLibCheck: true,
        types: []
      }
    }
    const program = ts.createProgram(paths, options)
    const wrong = ts.getPreEmitDiagnostics(program)
    expect(
      wrong.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
    ).toEqual([])
    program.emit()
    for (const path of paths) {
      const words: unknown[][] = []
      const log = (...told: unknown[]) => words.push(told)
      const sockets: WebSocket[] = []
      const noted = (address: string) => {
        sockets.push(new WebSocket(address))
        return sockets.at(-1) as unknown as Socket
      }
      const compiled = pathToFileURL(path.replace(/ts$/, "js")).href
      const { example } = await import(/* @vite-ignore */ compiled)
      await example(stage.engine.url, { log }, noted)
      expect(words.length, path).toBeGreaterThan(0)
      for (const socket of sockets) {
        socket.onclose = null
        socket.terminate()
      }
    }
  })
})

describe.skipIf(chromiumPath === undefined)("the docs page on a real engine", () => {
  it("tries a route and gives it as curl, with no other host to be had", async () => {
    const { url } = stage.engine
    const { host } = new URL(url)
    const path = "/docs#tag/chains/GET/v1/chains"
    const { page, faults, close } = await openPage(url, path, {}, opened =>
      opened.route(
        asked => asked.host !== host,
        route => route.abort()
      )
    )
    const section = page.locator('section[id$="GET/v1/chains"]')
    const example = section.getByRole("group", { name: "Request Example for get/v1/chains" })
    await example.getByRole("button", { name: "Copy" }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.trim()).toBe(`curl ${url}/v1/chains`)

    await section.getByRole("button", { name: "Test Request" }).click()
    const answered = page.waitForResponse(`${url}/v1/chains`)
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).first().click()
    const { chains } = await (await answered).json()
    expect(chains.map(({ key }: { key: string }) => key)).toEqual(["base"])
    await page.getByRole("dialog").getByText("200 OK").first().waitFor()
    await page.getByRole("dialog").getByText('"base"').first().waitFor()
    expect(faults).toEqual([])
    await close()
  })
})
