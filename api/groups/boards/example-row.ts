/** A token's row for the examples in the OpenAPI document. */

const ADDRESS = `0x${"ab".repeat(20)}`

export const exampleRow = {
  address: ADDRESS,
  symbol: "WISHI",
  name: "Wishi",
  decimals: 18,
  logoURI: `/v1/logo/5042/${ADDRESS}`,
  logoUriRaw: null,
  tags: [],
  listed: true,
  priceUsd: 0.0237,
  priceTs: 1_789_999_321,
  change24hPct: 3.2,
  changeSince: 1_789_914_000,
  volume24h: 6126.22,
  buyVolume24h: 3632.41,
  sellVolume24h: 2493.81,
  trades24h: 56,
  buys24h: 31,
  sells24h: 25,
  traders: 23,
  firstTradeTs: 1_789_914_000,
  lastTradeTs: 1_789_999_321,
  totalSupply: "1000000000000000000000000",
  marketCapUsd: 23_700,
  routable: true,
  pools: { v3: 0, v2: 1, v4: 0, byDex: { uniswap_v2: 1 } }
} as const
