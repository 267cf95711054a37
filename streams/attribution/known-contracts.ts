/** Which part a contract plays in a trade, as the chain's lists say. */
import { idBytes } from "../../src/domain/ids.ts"
import { accountTable } from "../batch/id-table.ts"
import { RefNumbers } from "../batch/ref-numbers.ts"

/** Finds the role of what a reference of a batch names; 0 where no list has it. */
export type KnownContracts = RefNumbers

/** Roles are small and above 0; of two roles of one address the later counts. */
export const knownContracts = (
  contracts: ReadonlyArray<readonly [address: string, role: number]>
): KnownContracts => {
  const addresses = accountTable(contracts.map(([address]) => address))
  const roles: Array<number> = []
  for (const [address, role] of contracts) roles[addresses.find(idBytes(address), 0)] = role
  return new RefNumbers(bytes => roles[addresses.find(bytes, 0)] ?? 0)
}
