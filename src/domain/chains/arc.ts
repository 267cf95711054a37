/**
 * Arc: facts from public packages and repositories, among them
 * npm:viem@2.57.1 and npm:@uniswap/sdk-core@7.19.4,
 * written by scripts/generate-chains.mjs. Venues and routers without two sources or an official one
 * are candidates; other rows without them are left out.
 */
import { defineChain } from "./define-chain.ts"

export const arc = defineChain({
  id: 5042,
  key: "arc",
  name: "Arc",
  native: {
    symbol: "USDC",
    decimals: 18
  },
  explorer: "https://explorer.arc.io",
  nativeToken: "0x3600000000000000000000000000000000000000",
  anchors: [
    {
      address: "0x3600000000000000000000000000000000000000",
      symbol: "USDC",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xbef5f6d51cb62b58e6a8f77868681825c6fe21c1",
      symbol: "EURC",
      decimals: 6,
      kind: "asset"
    },
    {
      address: "0x128cc466b61f542da60c70e3aa11c10e19b84edb",
      symbol: "WETH",
      decimals: 18,
      kind: "asset"
    },
    {
      address: "0x171a4217b86a807a64eb94757db6849fb4bdbaa0",
      symbol: "cirBTC",
      decimals: 8,
      kind: "asset"
    },
    {
      address: "0x8a5d989bbb96929f689b0200f435f53da42bf490",
      symbol: "USYC",
      decimals: 6,
      kind: "asset"
    }
  ],
  venues: [
    {
      id: "uniswap_v2",
      kind: "uniswap-v2",
      factory: "0x89e5db8b5aa49aa85ac63f691524311aeb649eba",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      feeBps: 30
    },
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0xf0db7b58379503491d857db50ac9ece64c653918",
      positionManager: "0x39654a85a4c05127f5fd6ed22caec077a0fb1377",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 1948019
    },
    {
      id: "uniswap_v4",
      kind: "uniswap-v4",
      factory: "0x8366a39cc670b4001a1121b8f6a443a643e40951",
      positionManager: "0x6049c9a0e26405c0985f9e3685c87d0ae917f82b"
    },
    {
      id: "sushiswap_v2",
      kind: "uniswap-v2",
      factory: "0x0e867974275cd31c25015c2753c9d75f9f355379",
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      feeBps: 30,
      startBlock: 21005804
    },
    {
      id: "sushiswap_v3",
      kind: "uniswap-v3",
      factory: "0x7282249282902e1f99c2cb0a04230091bd30fe3a",
      positionManager: "0xf27f32580a399bdb55b6e1f025b8985c97e2a9d5",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 21006899
    },
    {
      id: "achswap_v3",
      kind: "uniswap-v3",
      factory: "0xae54bf4c8078baaaf7e17f8e01659ea470a989fc",
      positionManager: "0x96366824d9240209cd236f5396054255ad1f5aa2",
      initCodeHash: "0x86a79abdb3735ffdb1ded2e8eb23e704e9d72d535c11d5462cafaa7cb269cc85",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ]
    }
  ],
  candidates: [
    {
      id: "achswap_v2",
      kind: "uniswap-v2",
      factory: "0xb0c2b0acb9c13079ddd871edaf43aabf6e88c530",
      feeBps: 30
    },
    {
      id: "synthra_v3",
      kind: "uniswap-v3",
      factory: "0x6307fc239c7964942c1bffe51930e55606619c74",
      positionManager: "0x2743b771659fd9ce13970d7367e7e84af6a31049"
    },
    {
      id: "synthra_second_v3",
      kind: "uniswap-v3",
      factory: "0x84169f9adf4f5f0e483bfc350498a85b1d7ec638"
    },
    {
      id: "unitflow_v3",
      kind: "uniswap-v3",
      factory: "0x5bfbceb73d39f722b1cb83fd2f11736b28c1be6d",
      positionManager: "0x300f5f2861ef0d9d3c6b812797c0a4c8b15c86a8"
    },
    {
      id: "bugle_v3",
      kind: "uniswap-v3",
      factory: "0xb09f790a1907a1db006e88f14c4f0168fbee9598"
    },
    {
      id: "flutchpad_v3",
      kind: "uniswap-v3",
      factory: "0x389016a3c28150881fd91a0063109f7107c3f193"
    },
    {
      id: "aerodrome_slipstream_v3",
      kind: "solidly-cl",
      factory: "0xb89df768af2cfe637ceb352c587fe8edaf491d03"
    },
    {
      id: "aerodrome_slipstream_earlier_v3",
      kind: "solidly-cl",
      factory: "0x04625b046c69577efc40e6c0bb83cdbafab5a55f"
    },
    {
      id: "archery_slipstream_v3",
      kind: "solidly-cl",
      factory: "0xc481038c013fe96f38ce7a2dc417b2b1b78b16a4"
    },
    {
      id: "topaz_slipstream_v3",
      kind: "solidly-cl",
      factory: "0xaa5865dc3a60b25d305226d66fd573021f0d8ffb"
    },
    {
      id: "dyorswap_v2",
      kind: "uniswap-v2",
      factory: "0x942bd5bfdc5317c5507e326f8eb4bb6058ab5c10",
      feeBps: 30
    },
    {
      id: "architex_v2",
      kind: "uniswap-v2",
      factory: "0x3648cc1323b4729e472cffdc570c6096565b0923",
      feeBps: 30
    },
    {
      id: "actfun_v2",
      kind: "uniswap-v2",
      factory: "0x96e4955fde3f1adddc2c8202b23a319bb9cf5034",
      feeBps: 30
    }
  ],
  routers: [
    "0x02e5be68d46dac0b524905bff209cf47ee6db2a9",
    "0x1f7d7550b1b028f7571e69a784071f0205fd2efa",
    "0x4fca4a51ab4f23a7447b3284fbd7d73289a89fb1",
    "0x53bf6b0684ec7ef91e1387da3d1a1769bc5a6f77",
    "0x8702463e73f74d0b6765abceb314ef07acb92650",
    "0x9cb751ce2799bc90457b75a3975c1d5bd902697f",
    "0xa4072583658fae592a3506a42431cb6316a8d40b",
    "0xb479a5ff1b2bda4d5f13fcaff0c3cd6102019f6b",
    "0xe52abd50ad151ecdf56427effd715e703696a6b1",
    "0xea0129203fbb99ebeea3f78b2d05b924f17fb556"
  ],
  settlements: ["0x7cfa0f3a811aeb3ac454f344aacaba16aafe828c"],
  routerCandidates: [
    { address: "0x0000000000001ff3684f28c67538d4d072c22734", name: "0x AllowanceHolder" },
    { address: "0x1b844738455b8060d12839331b35893526e9d314", name: "AchRouteExecutor" },
    { address: "0x20f6ee51340adeed01a59b0e65cb3703f3dc860c", name: "Fly (Magpie) router" },
    { address: "0x52fe40c00530db2e43d01652f903870571a14afd", name: "achswap_v2 router" },
    {
      address: "0x5d5b486d032da0b9d02651375cee1107d40bef0b",
      name: "AchSponsoredExecutorV3",
      settles: true
    },
    {
      address: "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
      name: "KyberSwap MetaAggregationRouterV2"
    },
    { address: "0xa50ede66a573ee5bb37e28af5789b76ae5feb828", name: "synthra_v3 swapRouter02" }
  ],
  finalityDepth: 2,
  blockTimeMs: 500
})
