import type { EventArgs, EventLaws, EventMeaning } from "../../venue-laws.ts"

const lower = (address: unknown): string => (address as string).toLowerCase()

const NOBODY = `0x${"00".repeat(20)}`

const executed = (
  entryPoint: string,
  account: unknown,
  paymaster: string | null,
  succeeded: number
): EventMeaning => ({
  kind: "OperationExecuted",
  entryPoint,
  account: lower(account),
  paymaster,
  succeeded
})

const userOperation = (args: EventArgs, emitter: string): EventMeaning => {
  const paymaster = lower(args["paymaster"])
  const succeeded = args["success"] === true ? 1 : 0
  return executed(emitter, args["sender"], paymaster === NOBODY ? null : paymaster, succeeded)
}

export const laws: EventLaws = {
  kind: "account-operations",
  meanings: {
    "event BeforeExecution()": (_, emitter) => ({ kind: "OperationsBegun", entryPoint: emitter }),
    "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)":
      userOperation,
    "event MetaTransactionExecuted(bytes32 hash, bytes4 indexed selector, address signer, address sender)":
      (args, emitter) => executed(emitter, args["signer"], null, 1)
  }
}
