import { encodeAbiParameters, parseAbiParameters, stringToHex } from "viem"
import { describe, expect, it } from "vitest"
import { readAddress, readInt24, readSmallUint, readText, readUint } from "./abi-text.ts"

const string = (text: string) => encodeAbiParameters(parseAbiParameters("string"), [text])
const word = (value: bigint) => `0x${BigInt.asUintN(256, value).toString(16).padStart(64, "0")}`

describe("a text", () => {
  it("is a string or a bytes32", () => {
    expect(readText(string("USDC"), 64)).toBe("USDC")
    expect(readText(string("Ωmega 🦄"), 64)).toBe("Ωmega 🦄")
    expect(readText(stringToHex("MKR", { size: 32 }), 64)).toBe("MKR")
    expect(readText(stringToHex("x".repeat(32), { size: 32 }), 64)).toBe("x".repeat(32))
  })

  it("has nothing that cannot be shown, and is not too long", () => {
    expect(readText(string("a\u0000b\u202ec\u200b\n "), 64)).toBe("abc")
    expect(readText(string("🦄".repeat(500)), 64)).toBe("🦄".repeat(64))
  })

  it.each([
    ["no result", "0x"],
    ["an empty string", string("")],
    ["only control characters", string("\u0001\u0002")],
    ["zero bytes", word(0n)],
    ["less than a word", "0x1234"],
    ["a length beyond the end", `0x${"20".padStart(64, "0")}${"ff".padStart(64, "0")}`],
    ["an offset beyond the end", `0x${"f".repeat(64)}${"0".repeat(64)}`],
    ["no hex", "0xzz"]
  ])("is null for %s", (_, result) => {
    expect(readText(result, 64)).toBeNull()
  })
})

describe("a number", () => {
  it("is read within its type, else null", () => {
    expect(readUint(word(2n ** 256n - 1n))).toBe(2n ** 256n - 1n)
    expect(readUint("0x")).toBeNull()
    expect([readSmallUint(word(255n), 255), readSmallUint(word(256n), 255)]).toEqual([255, null])
    expect([readInt24(word(-60n)), readInt24(word(200n)), readInt24(word(2n ** 24n))]).toEqual([
      -60,
      200,
      null
    ])
  })
})

describe("an address", () => {
  it("is read from its word, else null", () => {
    const address = `0x${"ab".repeat(20)}`
    expect(readAddress(`0x${"0".repeat(24)}${"AB".repeat(20)}`)).toBe(address)
    expect(readAddress(word(0n))).toBeNull()
    expect(readAddress(`0x${"1".repeat(64)}`)).toBeNull()
    expect(readAddress("0x")).toBeNull()
  })
})
