/** Signatures for Permit2, as a taker's wallet makes them. */
import type { LocalAccount } from "viem/accounts"
import type { Hex } from "../../src/platform/anvil-rpc.ts"

/** What is signed: `spender` may take so much of a token, once. */
export interface Permit {
  readonly permit2: Hex
  readonly chainId: number
  readonly token: Hex
  readonly amount: bigint
  readonly spender: Hex
  readonly nonce: bigint
  /** Unix seconds */
  readonly deadline: bigint
}

/** Signs a `PermitTransferFrom` by EIP-712. */
export const signPermit = (account: LocalAccount, permit: Permit): Promise<Hex> => {
  const { permit2, chainId, token, amount, spender, nonce, deadline } = permit
  return account.signTypedData({
    domain: { name: "Permit2", chainId, verifyingContract: permit2 },
    types: {
      PermitTransferFrom: [
        { name: "permitted", type: "TokenPermissions" },
        { name: "spender", type: "address" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" }
      ],
      TokenPermissions: [
        { name: "token", type: "address" },
        { name: "amount", type: "uint256" }
      ]
    },
    primaryType: "PermitTransferFrom",
    message: { permitted: { token, amount }, spender, nonce, deadline }
  })
}
