import { privateKeyToAccount, privateKeyToAddress } from "viem/accounts"
import { expect, it } from "vitest"
import { signTransaction } from "./sign-transaction.ts"

// Anvil's first account, whose key everybody knows.
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"

it("signs as viem's own accounts do", async () => {
  const transaction = {
    ...({
      chainId: 8453,
      nonce: 3,
      to: privateKeyToAddress(KEY),
      data: "0x1234",
      value: 5n
    } as const),
    ...{ gas: 21_000n, maxFeePerGas: 20n, maxPriorityFeePerGas: 1n }
  } as const
  const expected = await privateKeyToAccount(KEY).signTransaction({
    ...transaction,
    type: "eip1559"
  })
  expect(signTransaction(transaction, KEY)).toBe(expected)
})
