import { describe, expect, it } from "vitest"
import { accountTable } from "../../streams/batch/id-table.ts"
import { random } from "../../test/support/seed.ts"
import { base58Ids, formOfText, hexIds, idBytes, idsOf } from "./ids.ts"

const WSOL = "So11111111111111111111111111111111111111112"

describe("identities", () => {
  it("are those of the chain's family", () => {
    expect(idsOf({})).toBe(hexIds)
    expect(idsOf({ family: "evm" })).toBe(hexIds)
    expect(idsOf({ family: "solana" })).toBe(base58Ids)
  })

  it("are read as people type them: hex in any case, base58 in its own", () => {
    const address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
    expect(hexIds.parseAccount(address)).toBe(address.toLowerCase())
    expect(hexIds.parsePool(`0x${"Ab".repeat(32)}`)).toBe(`0x${"ab".repeat(32)}`)
    expect([`${address}0`, WSOL, "", "0x"].map(hexIds.parseAccount)).toEqual([
      null,
      null,
      null,
      null
    ])
    expect(base58Ids.parseAccount(WSOL)).toBe(WSOL)
    expect(base58Ids.parseAccount(WSOL.toLowerCase())).not.toBe(WSOL)
    const wrong = [address, `${WSOL}1`, WSOL.slice(1), "1".repeat(31), "1".repeat(33), `${WSOL} `]
    expect(wrong.map(base58Ids.parseAccount)).toEqual(wrong.map(() => null))
    expect(base58Ids.parsePool("1".repeat(32))).toBe(base58Ids.zero)
  })

  it("are no bytes where a text is none, which no table of accounts has", () => {
    const table = accountTable([base58Ids.zero, WSOL])
    const bad = ["", "0OIl", `${WSOL}!`, "1".repeat(31), WSOL.slice(1), "z".repeat(44)]
    expect(bad.map(text => table.find(idBytes(text), 0))).toEqual(bad.map(() => -1))
    expect(table.find(idBytes(WSOL), 0)).toBe(1)
  })

  it("are 32 bytes inside, an address after zeros, and have their text again", () => {
    expect(idBytes("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913")).toEqual(
      Uint8Array.from(
        Buffer.from(`${"00".repeat(12)}833589fcd6edb6e08f4c7c32d4f71b54bda02913`, "hex")
      )
    )
    const { integer } = random("identities")
    for (let i = 0; i < 500; i++) {
      const bytes = Uint8Array.from({ length: 64 }, () => integer(0, 255))
      for (const form of [hexIds, base58Ids]) {
        const padding = 32 - form.storedBytes
        const account = bytes.slice(0, 32).fill(0, 0, padding)
        const text = form.account(bytes.slice().fill(0, 0, padding))
        expect(formOfText(text)).toBe(form)
        expect(form.parseAccount(text)).toBe(text)
        expect(idBytes(text)).toEqual(account)
        expect(idBytes(form.hash(bytes, 5))).toEqual(bytes.slice(5, 37))
        expect(idBytes(form.tx(bytes))).toEqual(bytes.slice(0, form.txBytes))
      }
    }
    for (const form of [hexIds, base58Ids]) expect(idBytes(form.zero)).toEqual(new Uint8Array(32))
  })
})
