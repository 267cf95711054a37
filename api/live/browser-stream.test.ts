/** A browser's own EventSource over a connection that breaks: it goes on by itself. */
import type { Page } from "playwright-core"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { chromiumOfTests, chromiumPath } from "../../test/support/browser.ts"
import { type CuttingProxy, startProxy } from "../../test/support/cutting-proxy.ts"
import { LiveApi, OTHER, TOKEN } from "../../test/support/live-api.ts"

let live: LiveApi
let proxy: CuttingProxy
let page: Page

const read = (url: string): void => {
  const frames: Array<string> = []
  Object.assign(window, { frames_: frames })
  new EventSource(url).onmessage = ({ data }) => {
    const { type, token, seq } = JSON.parse(data)
    if (type === "trade") frames.push(`${token} ${seq}`)
  }
}
const readSoFar = (): ReadonlyArray<string> =>
  (window as unknown as { readonly frames_: ReadonlyArray<string> }).frames_

describe.skipIf(chromiumPath === undefined)("a browser", () => {
  beforeEach(async () => {
    live = await LiveApi.start()
    proxy = await startProxy(live.api.url)
    page = await (await chromiumOfTests()).newPage()
  })
  afterEach(async () => {
    await page.close()
    proxy.close()
    await live.stop()
  })

  it("of another origin misses and repeats nothing of its topics", async () => {
    const topics = [TOKEN, OTHER].map(token => `topic=trades,chain=base,token=${token}`)
    await page.evaluate(read, `${proxy.url}/v1/stream/market?${topics.join("&")}`)
    const wanted = { [TOKEN]: [] as Array<string>, [OTHER]: [] as Array<string> }
    const trade = (seq: number): void => {
      const token = seq % 3 === 0 ? OTHER : TOKEN
      live.trade(seq, token)
      wanted[token]?.push(`${token} ${seq}`)
    }
    const of = (frames: ReadonlyArray<string>, token: string) =>
      frames.filter(frame => frame.startsWith(token))
    await expect.poll(() => live.lane.wanted.length).toBe(2)
    let seq = 1
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 10; i++) trade(++seq)
      await expect.poll(() => page.evaluate(readSoFar)).toHaveLength(seq - 1)
      proxy.cut()
      for (let i = 0; i < 10; i++) trade(++seq)
    }
    await expect.poll(() => page.evaluate(readSoFar)).toHaveLength(seq - 1)
    const frames = await page.evaluate(readSoFar)
    expect([of(frames, TOKEN), of(frames, OTHER)]).toEqual([wanted[TOKEN], wanted[OTHER]])
  })
})
