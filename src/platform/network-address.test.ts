import { describe, expect, it } from "vitest"
import { addressBytes, liesIn, parseNetwork, wideAddress } from "./network-address.ts"

const hex = (text: string) => {
  const bytes = addressBytes(text)
  return bytes === null ? null : Buffer.from(bytes).toString("hex")
}

describe("an address", () => {
  it("is 16 bytes, however it is written", () => {
    expect(hex("10.1.2.255")).toBe("00000000000000000000ffff0a0102ff")
    expect(hex("::ffff:10.1.2.255")).toBe("00000000000000000000ffff0a0102ff")
    expect(hex("::1")).toBe("00000000000000000000000000000001")
    expect(hex("::")).toBe("0".repeat(32))
    expect(hex("2001:db8::8:800:200c:417a")).toBe("20010db80000000000080800200c417a")
    expect(hex("2001:DB8:0:0:8:800:200C:417A")).toBe("20010db80000000000080800200c417a")
    expect(hex("fe80::")).toBe(`fe80${"0".repeat(28)}`)
    const narrow = Uint8Array.from([10, 1, 2, 255]).buffer
    expect(wideAddress(narrow)).toEqual(addressBytes("10.1.2.255"))
  })

  it("is none of what only looks like one", () => {
    for (const text of [
      "",
      "10.1.2",
      "10.1.2.256",
      "unknown",
      "_hidden",
      "fe80::1%eth0",
      "1::2::3"
    ]) {
      expect([text, hex(text)]).toEqual([text, null])
    }
  })
})

describe("a network", () => {
  const lies = (address: string, network: string) => {
    const [bytes, parsed] = [addressBytes(address), parseNetwork(network)]
    return bytes !== null && parsed !== null && liesIn(bytes, parsed)
  }

  it("has what begins like it", () => {
    expect(lies("10.200.0.1", "10.0.0.0/8")).toBe(true)
    expect(lies("11.0.0.1", "10.0.0.0/8")).toBe(false)
    expect(lies("172.31.255.255", "172.16.0.0/12")).toBe(true)
    expect(lies("172.32.0.0", "172.16.0.0/12")).toBe(false)
    expect(lies("::ffff:10.0.0.1", "10.0.0.0/8")).toBe(true)
    expect(lies("fd12::1", "fd00::/8")).toBe(true)
    expect(lies("127.0.0.1", "127.0.0.1")).toBe(true)
    expect(lies("127.0.0.2", "127.0.0.1")).toBe(false)
    expect(lies("1.2.3.4", "0.0.0.0/0")).toBe(true)
    expect(lies("::1", "0.0.0.0/0")).toBe(false)
  })

  it("is none of anything else", () => {
    for (const text of [
      "",
      "nginx",
      "10.0.0.0/33",
      "10.0.0.0/",
      "10.0.0.0/8/8",
      "::/129",
      "::/-1"
    ]) {
      expect([text, parseNetwork(text)]).toEqual([text, null])
    }
  })
})
