import { Effect } from "effect"
import { expect, it } from "vitest"
import type { Address } from "../../../src/domain/address.ts"
import type { Endpoints } from "../evm-rpc/endpoints.ts"
import { checkRouter } from "./check-router.ts"

const address = `0x${"0d".repeat(20)}` as Address

const saidOf = async (code: unknown) => {
  const request = (_: unknown, read: (value: unknown) => unknown) => Effect.succeed(read(code))
  const endpoints = { request } as unknown as Endpoints
  const { state, reason } = await Effect.runPromise(
    checkRouter(endpoints, { address, name: "Router" })
  )
  return [state, reason]
}

it("takes a contract for a router, and no wallet", async () => {
  expect(await saidOf("0x6001")).toEqual(["proven", "code of 2 bytes"])
  expect(await saidOf("0x")).toEqual(["refuted", "no code at its address"])
  // EIP-7702: what an account's code says that delegates to a contract
  expect(await saidOf(`0xef0100${"ab".repeat(20)}`)).toEqual([
    "refuted",
    "an account that borrows its code"
  ])
})
