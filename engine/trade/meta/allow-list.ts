/**
 * The contracts of providers that a transaction may go to and that may be approved, by chain. Each
 * is confirmed by the provider's own publications or by two independent owners, as collected on
 * 2026-11-22; no source was asked on a chain. What has one source, or none, is left out: OpenOcean
 * and 0x on chain 5042. Whoever runs the engine may add it (`META_ROUTER_…`).
 */
import type { Hex, ProviderId } from "./protocol/provider.ts"

/** A contract that is called, and approved to take the input. */
export interface AllowedRouter {
  readonly router: Hex
  readonly spender: Hex
}

/** Where an address is from. */
interface Row {
  readonly chains: ReadonlyArray<number>
  readonly address: Hex
  /** the day it was collected */
  readonly date: "2026-11-22"
  readonly source: string
}

const ROWS: { readonly [id in ProviderId]: ReadonlyArray<Row> } = {
  kyberswap: [
    {
      chains: [1, 56, 143, 4663, 8453, 42161, 43114],
      address: "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
      date: "2026-11-22",
      source:
        "KyberNetwork/kyberswap-documentation@c370ffa; lifinance/contracts@ef00558fde config/whitelist.json"
    },
    {
      chains: [5042],
      address: "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
      date: "2026-11-22",
      source: "clients of two independent owners in public repositories, read 2026-09 and 2026-10"
    }
  ],
  lifi: [
    {
      chains: [1, 56, 8453, 42161, 43114],
      address: "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde deployments/"
    },
    {
      chains: [143],
      address: "0x026f252016a7c47cdef1f05a3fc9e20c92a49c37",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde deployments/"
    },
    {
      chains: [4663],
      address: "0xb477751b76cf82d00a686a1232f5fcd772414af3",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde deployments/"
    },
    {
      chains: [5042],
      address: "0xa4072583658fae592a3506a42431cb6316a8d40b",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde deployments/"
    }
  ],
  openocean: [
    {
      chains: [1, 56, 143, 4663, 8453, 42161, 43114],
      address: "0x6352a56caadc4f1e25cd6c75970fa768a3304e64",
      date: "2026-11-22",
      source: "lifinance/contracts@ef00558fde config/whitelist.json"
    }
  ],
  zeroex: [
    {
      chains: [1, 56, 143, 4663, 8453, 42161, 43114],
      address: "0x0000000000001ff3684f28c67538d4d072c22734",
      date: "2026-11-22",
      source: "0xProject/0x-settler@f6b73031 README.md"
    }
  ]
}

/** The router of a provider on a chain, which is its spender too; null where none is confirmed. */
export const allowedRouter = (id: ProviderId, chainId: number): AllowedRouter | null => {
  const row = ROWS[id].find(({ chains }) => chains.includes(chainId))
  return row === undefined ? null : { router: row.address, spender: row.address }
}
