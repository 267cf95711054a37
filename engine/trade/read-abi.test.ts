import { encodeAbiParameters, encodeFunctionData, parseAbi } from "viem"
import { expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { encodedCall, NATIVE, routerAbi } from "./contract/router-call.ts"
import { readCall, readResult } from "./read-abi.ts"

type Hex = `0x${string}`

const [SOLD, BOUGHT] = ["aa", "bb"].map(byte => `0x${byte.repeat(20)}`) as [Hex, Hex]
const word = (value: bigint | number): string => BigInt(value).toString(16).padStart(64, "0")
const address = (text: Hex): string => text.slice(2).padStart(64, "0")

const leg = (data: Hex) => ({
  ...{ adapter: 4, pool: SOLD, tokenIn: SOLD, tokenOut: BOUGHT, share: 1n, amount: 0n, data }
})
const swap = (legs: ReadonlyArray<ReturnType<typeof leg>>): Hex =>
  encodedCall(
    {
      ...{ tokenIn: SOLD, amountIn: 5n, tokenOut: BOUGHT, minimumOut: 3n },
      ...{ recipient: SOLD, deadline: 9n, legs }
    },
    null
  ).data

/** A swap with so many legs, all of which are one with so many bytes of data. */
const bomb = (legs: number, bytes: number): Hex => {
  const head = [32, address(SOLD), 5, address(BOUGHT), 3, address(SOLD), 9, 7 * 32]
  const one = [4, address(SOLD), address(SOLD), address(BOUGHT), 1, 0, 7 * 32, bytes]
  const texts = [...head, legs, ...Array(legs).fill(legs * 32), ...one].map(part =>
    typeof part === "string" ? part : word(part)
  )
  return `0xa13294f1${texts.join("")}${"11".repeat(bytes)}`
}

it("reads calls as they are encoded", () => {
  const chance = random("calls")
  for (let run = 0; run < 50; run++) {
    const legs = Array.from({ length: chance.integer(0, 12) }, () =>
      leg(`0x${"5a".repeat(chance.integer(0, 300))}`)
    )
    const call = readCall(routerAbi, swap(legs))
    expect(call?.functionName).toBe("swap")
    expect(call?.args).toMatchObject([{ amountIn: 5n, legs: legs.map(({ data }) => ({ data })) }])
  }
  const fixed = parseAbi(["function f(uint256[2] a, (uint8 b, string c)[2] d, bytes[] e)"])
  const args = [
    [1n, 2n],
    [
      { b: 1, c: "x" },
      { b: 2, c: "y".repeat(99) }
    ],
    ["0x12", "0x"]
  ] as const
  const data = encodeFunctionData({ abi: fixed, args })
  expect(readCall(fixed, data)?.args).toEqual(args)
})

it("reads no call that would be read again and again, and no part of one", () => {
  expect(readCall(routerAbi, bomb(3, 64))?.functionName).toBe("swap")
  expect(readCall(routerAbi, bomb(400, 15_000))).toBeNull()
  expect(readCall(routerAbi, bomb(1800, 0))).toBeNull()
  // claims more legs than there is room for
  expect(readCall(routerAbi, bomb(2, 0).replace(word(2), word(2n ** 40n)) as Hex)).toBeNull()
  expect(readCall(routerAbi, bomb(2, 0).replace(word(2), word(2n ** 255n)) as Hex)).toBeNull()
  const whole = swap([leg("0x1234")])
  // up to the padding behind the last leg's data
  for (let end = 0; end < whole.length - 62; end += 62) {
    expect(readCall(routerAbi, whole.slice(0, end) as Hex), `${end}`).toBeNull()
  }
  expect(readCall(routerAbi, "0xdeadbeef")).toBeNull()
})

it("reads answers likewise", () => {
  const abi = parseAbi([
    "struct Step { uint256 sent; bytes reason; }",
    "function pass() returns (Step[])"
  ])
  const steps = [
    { sent: 1n, reason: "0x12" as const },
    { sent: 2n, reason: NATIVE }
  ]
  const answer = encodeAbiParameters(abi[0].outputs, [steps])
  expect(readResult(abi, "pass", answer)).toEqual(steps)
  const one = `${word(1)}${word(64)}${word(50_000)}${"11".repeat(50_000)}`
  const many = `0x${word(32)}${word(900)}${word(900 * 32).repeat(900)}${one}` as Hex
  for (const data of [many, "0x", "0x12", `0x${"ff".repeat(640)}`] as const) {
    expect(readResult(abi, "pass", data)).toBeNull()
  }
})
