import { expect, it } from "vitest"
import { random, seed } from "../../test/support/seed.ts"
import { TokenMakers } from "./token-makers.ts"

const HOUR = 3600

interface Times {
  bought: number
  sold: number
}

it("knows who traded in the last hours, however many there were before", () => {
  console.log(`token makers: SEED=${seed}`)
  const r = random("token makers")
  const makers = new TokenMakers()
  const truth = new Map<string, Times>()
  let since = 0
  for (let ts = 1; ts < 60 * HOUR; ts += r.integer(1, 20)) {
    const [token, wallet] = [r.integer(0, 30), r.integer(0, 400)]
    const buy = r.integer(0, 1)
    const key = `${token} ${wallet}`
    const times = truth.get(key) ?? { bought: 0, sold: 0 }
    const last = Math.max(times.bought, times.sold)
    const told = makers.see(token, wallet, buy, ts)
    // a pair that is over may be forgotten, and never told of as newer than it is
    if (last >= since) expect(told).toBe(last)
    else expect([0, last]).toContain(told)
    if (buy === 1) times.bought = ts
    else times.sold = ts
    truth.set(key, times)
    if (ts - (ts % HOUR) - 5 * HOUR > since) {
      since = ts - (ts % HOUR) - 5 * HOUR
      makers.advance(since)
    }
  }
  const kept = [...truth].filter(([, { bought, sold }]) => Math.max(bought, sold) >= since)
  const found: Array<readonly [string, Times]> = []
  const all = Array.from({ length: 31 }, (_, token) => makers.of(token)).flat()
  for (const { token, wallet, bought, sold } of all) {
    if (Math.max(bought, sold) < since) continue
    // a side that is over may be forgotten with the pair that it was of
    const times = truth.get(`${token} ${wallet}`) as Times
    for (const [mine, theirs] of [
      [bought, times.bought],
      [sold, times.sold]
    ] as const) {
      if (theirs >= since) expect(mine).toBe(theirs)
      else expect([0, theirs]).toContain(mine)
    }
    found.push([`${token} ${wallet}`, times])
  }
  let counted = 0
  makers.eachLast((_, last) => {
    if (last >= since) counted++
  })
  expect(counted).toBe(kept.length)
  const byKey = (list: ReadonlyArray<readonly [string, Times]>) => list.map(([key]) => key).sort()
  expect(byKey(found)).toEqual(byKey(kept))
  for (let token = 0; token <= 30; token++) {
    const mine = makers.of(token).filter(one => Math.max(one.bought, one.sold) >= since)
    expect(mine.every(one => one.token === token)).toBe(true)
    const wallets = kept.filter(([key]) => key.startsWith(`${token} `)).map(([key]) => key)
    expect(mine.map(({ wallet }) => `${token} ${wallet}`).sort()).toEqual(wallets.sort())
  }
  for (let token = 0; token <= 30; token++) expectCounts(makers, truth, token, since)
})

const expectCounts = (
  makers: TokenMakers,
  truth: ReadonlyMap<string, Times>,
  token: number,
  since: number
) => {
  const mine = [...truth].flatMap(([key, times]) => (key.startsWith(`${token} `) ? [times] : []))
  const seconds = [since + HOUR, since, since + 4 * HOUR + 17]
  const counts = seconds.map(second => ({
    makers: mine.filter(one => Math.max(one.bought, one.sold) >= second).length,
    buyers: mine.filter(one => one.bought >= second).length,
    sellers: mine.filter(one => one.sold >= second).length
  }))
  expect(makers.countSince(token, seconds)).toEqual(counts)
}

it("counts those of tokens with few and with many, while time goes on and stands still", () => {
  const r = random("token makers counted")
  const makers = new TokenMakers()
  const truth = new Map<string, Times>()
  let [ts, since] = [8 * HOUR, HOUR]
  makers.advance(since)
  for (let i = 0; i < 40_000; i++) {
    ts += r.pick([0, 0, 1, 1, 2, 30])
    // two days in which nobody trades
    if (i % 9000 === 8999) ts += 48 * HOUR
    if (ts - (ts % HOUR) - 5 * HOUR > since) {
      since = ts - (ts % HOUR) - 5 * HOUR
      makers.advance(since)
    }
    const [token, wallet] = [r.integer(0, r.pick([0, 3, 60])), r.integer(0, 900)]
    const buy = r.integer(0, 1)
    const times = truth.get(`${token} ${wallet}`) ?? { bought: 0, sold: 0 }
    truth.set(`${token} ${wallet}`, buy === 1 ? { ...times, bought: ts } : { ...times, sold: ts })
    makers.see(token, wallet, buy, ts)
    if (i % 97 === 0) expectCounts(makers, truth, r.integer(0, r.pick([0, 6, 60])), since)
  }
})
