/** Transactions of the simulated chain's own wallets. */
import {
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionSigner
} from "@solana/kit"

/** Signs a transaction of version 0 that names a block. */
export const signed = (
  payer: TransactionSigner,
  blockhash: string,
  instructions: ReadonlyArray<Instruction>
) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    message => setTransactionMessageFeePayerSigner(payer, message),
    message =>
      setTransactionMessageLifetimeUsingBlockhash(
        // a transaction that waits longer is refused by its blockhash
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 2n ** 63n },
        message
      ),
    message => appendTransactionMessageInstructions(instructions, message),
    message => signTransactionMessageWithSigners(message)
  )
