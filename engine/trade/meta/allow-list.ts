/**
 * The contracts of providers that a transaction may go to and that may be approved, by chain. Each
 * is confirmed (`ConfirmedContract`), as collected on 2026-11-22; no source was asked on a chain.
 * What has one source, or none, is left out: OpenOcean and 0x on chain 5042. Whoever runs the
 * engine may add it (`META_ROUTER_…`).
 */
import type { Hex, Provider } from "./protocol/provider.ts"

/** A contract that is called, and approved to take the input. */
export interface AllowedRouter {
  readonly router: Hex
  readonly spender: Hex
}

/** The router of a provider on a chain, which is its spender too; null where none is confirmed. */
export const allowedRouter = (
  { contracts }: Pick<Provider, "contracts">,
  chainId: number
): AllowedRouter | null => {
  const contract = contracts.find(({ chains }) => chains.includes(chainId))
  return contract === undefined ? null : { router: contract.address, spender: contract.address }
}
