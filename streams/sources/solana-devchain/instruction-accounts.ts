/** Accounts of an instruction as a program lists them: read, written, signed for. */
import { AccountRole, type Address, type TransactionSigner } from "@solana/kit"

export const reads = (address: Address) => ({ address, role: AccountRole.READONLY })

export const writes = (address: Address) => ({ address, role: AccountRole.WRITABLE })

/** Signs without changing its account. */
export const agrees = (signer: TransactionSigner) => ({
  ...{ address: signer.address, signer },
  role: AccountRole.READONLY_SIGNER
})

/** Signs, and may pay of its account. */
export const pays = (signer: TransactionSigner) => ({
  ...{ address: signer.address, signer },
  role: AccountRole.WRITABLE_SIGNER
})
