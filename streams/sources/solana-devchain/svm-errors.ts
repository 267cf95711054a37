/**
 * Why a transaction failed, as nodes tell it in JSON (`solana-transaction-error` and
 * `solana-instruction-error`, whose orders the machine numbers them by).
 */
import type { FailedTransactionMetadata } from "litesvm"

const OF_TRANSACTIONS = [
  "AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound",
  "InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed BlockhashNotFound",
  "CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure",
  "InvalidProgramForExecution SanitizeFailure ClusterMaintenance AccountBorrowOutstanding",
  "WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount",
  "WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks",
  "AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData",
  "InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit",
  "WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded",
  "InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit",
  "CommitCancelled"
]
  .join(" ")
  .split(" ")

const OF_INSTRUCTIONS = [
  "GenericError InvalidArgument InvalidInstructionData InvalidAccountData",
  "AccountDataTooSmall InsufficientFunds IncorrectProgramId MissingRequiredSignature",
  "AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction ModifiedProgramId",
  "ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange",
  "ReadonlyDataModified DuplicateAccountIndex ExecutableModified RentEpochModified",
  "NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed",
  "AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError ExecutableDataModified",
  "ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth",
  "MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc",
  "ComputationalBudgetExceeded PrivilegeEscalation ProgramEnvironmentSetupFailure",
  "ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority",
  "AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar",
  "IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded",
  "MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits BorshIoError"
]
  .join(" ")
  .split(" ")

/** A transaction's `err` in the JSON of a node. */
export type ErrorJson = string | { readonly [name: string]: unknown }

const ofInstruction = (error: unknown): unknown => {
  if (typeof error === "number") return OF_INSTRUCTIONS[error]
  return error !== null && typeof error === "object" && "code" in error
    ? { Custom: error.code }
    : "BorshIoError"
}

/** Tells why a transaction failed as nodes do. */
export const errorJson = (failed: FailedTransactionMetadata): ErrorJson => {
  const error = failed.err()
  if (typeof error === "number") return OF_TRANSACTIONS[error] ?? "UnknownError"
  const name = error.constructor.name.replace("TransactionError", "")
  return "err" in error
    ? { [name]: [error.index, ofInstruction(error.err())] }
    : { [name]: { account_index: "accountIndex" in error ? error.accountIndex : error.index } }
}
