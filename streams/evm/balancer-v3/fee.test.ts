import { expect, it } from "vitest"
import { fromHex } from "../../../src/domain/address.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import { pipsOf } from "./fee.ts"

const pips = (fee: bigint) => pipsOf(fromHex(`0x${fee.toString(16).padStart(64, "0")}`), 0)

it("tells every whole millionth up to one, and nothing else", () => {
  for (const value of [0, 1, 7, 100, 3000, 999_999, 1_000_000]) {
    expect(pips(BigInt(value) * 10n ** 12n)).toBe(value)
  }
  for (const fee of [1n, 10n ** 11n, 10n ** 12n + 1n, 10n ** 18n + 10n ** 12n, 1n << 64n]) {
    expect(pips(fee)).toBe(NULL_I32)
  }
})
