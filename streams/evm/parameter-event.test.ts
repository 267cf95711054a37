import { expect, it } from "vitest"
import { decodeAll } from "../../test/support/decode-one.ts"
import { rawLogOf } from "../../test/support/raw-logs.ts"
import { meaningOf } from "../../test/support/venue-laws.ts"
import { VIRTUAL_RESERVE } from "../pool-parameters.ts"
import { pushParameterValue } from "./parameter-event.ts"

const POOL = `0x${"aa".repeat(20)}`

it("pushes a value at its place in a list, and one that is in none", () => {
  const log = rawLogOf({ address: POOL, topics: [`0x${"11".repeat(32)}`], data: "0x" })
  const decoded = decodeAll((raw, out) => {
    const pool = out.ids.account(raw.account)
    pushParameterValue(out, raw.logIndex, pool, VIRTUAL_RESERVE, 30n * 10n ** 18n, 1)
    pushParameterValue(out, raw.logIndex, pool, "stable", 1n)
    return null
  }, log)
  if (typeof decoded === "string") throw new Error(decoded)
  const parameter = { kind: "PoolParameterSet", pool: POOL }
  expect(decoded.map(meaningOf)).toEqual([
    { ...parameter, name: "virtualReserve", index: 1, value: 30n * 10n ** 18n },
    { ...parameter, name: "stable", index: null, value: 1n }
  ])
})
