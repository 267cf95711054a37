/**
 * Avalanche C-Chain: facts from public packages and repositories, among them
 * npm:viem@2.57.1 and npm:@uniswap/sdk-core@7.19.4,
 * written by scripts/generate-chains.mjs. Venues and routers without two sources or an official one
 * are candidates; other rows without them are left out.
 */
import { defineChain } from "./define-chain.ts"

export const avalanche = defineChain({
  id: 43114,
  key: "avalanche",
  name: "Avalanche C-Chain",
  native: {
    symbol: "AVAX",
    decimals: 18
  },
  explorer: "https://snowtrace.io",
  nativeToken: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
  anchors: [
    {
      address: "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e",
      symbol: "USDC",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664",
      symbol: "USDC.e",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7",
      symbol: "USDT",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xc7198437980c041c805a1edcba50c1ce5db95118",
      symbol: "USDT.e",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xd586e7f844cea2f87f50152665bcbc2c279d8d70",
      symbol: "DAI.e",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7",
      symbol: "WAVAX",
      decimals: 18,
      kind: "native"
    },
    {
      address: "0xc891eb4cbdeff6e073e859e987815ed1505c2acd",
      symbol: "EURC",
      decimals: 6,
      kind: "asset"
    },
    {
      address: "0x49d5c2bdffac6ce2bfdb6640f4f80f226bc10bab",
      symbol: "WETH.e",
      decimals: 18,
      kind: "asset"
    },
    {
      address: "0x50b7545627a5162f82a992c33b87adc75187b218",
      symbol: "WBTC.e",
      decimals: 8,
      kind: "asset"
    },
    {
      address: "0x152b9d0fdc40c096757f570a51e494bd4b943e50",
      symbol: "BTC.b",
      decimals: 8,
      kind: "asset"
    }
  ],
  venues: [
    {
      id: "uniswap_v2",
      kind: "uniswap-v2",
      factory: "0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      feeBps: 30
    },
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad",
      positionManager: "0x655c406ebfa14ee2006250925e54ec43ad184f8b",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 27832972
    },
    {
      id: "uniswap_v4",
      kind: "uniswap-v4",
      factory: "0x06380c0e0912312b5150364b9dc4542ba0dbbc85",
      positionManager: "0xb74b1f14d2754acfcbbe1a221023a5cf50ab8acd",
      startBlock: 56195376
    },
    {
      id: "sushiswap_v2",
      kind: "uniswap-v2",
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      feeBps: 30
    },
    {
      id: "sushiswap_v3",
      kind: "uniswap-v3",
      factory: "0x3e603c14af37ebdad31709c4f848fc6ad5bec715",
      positionManager: "0x18350b048ab366ed601ffdbc669110ecb36016f3",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 28186391
    },
    {
      id: "traderjoe_v1",
      kind: "uniswap-v2",
      factory: "0x9ad6c38be94206ca50bb0d90783181662f0cfa10",
      initCodeHash: "0x0bbca9af0511ad1a1da383135cf3a8d2ac620e549ef9f6ae3a4c33c2fed0af91",
      feeBps: 30
    },
    {
      id: "traderjoe_lb_v2_0",
      kind: "liquidity-book",
      factory: "0x6e77932a92582f504ff6c4bdbcef7da6c198aeef",
      startBlock: 22426953
    },
    {
      id: "traderjoe_lb_v2_1",
      kind: "liquidity-book",
      factory: "0x8e42f2f4101563bf679975178e880fd87d3efd4e",
      startBlock: 28371397
    },
    {
      id: "traderjoe_lb_v2_2",
      kind: "liquidity-book",
      factory: "0xb43120c4745967fa9b93e79c149e66b0f2d6fe0c",
      startBlock: 46536129
    },
    {
      id: "pangolin_v2",
      kind: "uniswap-v2",
      factory: "0xefa94de7a4656d787667c749f7e1223d71e9fd88",
      initCodeHash: "0x40231f6b438bce0797c9ada29b718a87ea0a5cea3fe9a771abdd76bd41a3e545",
      feeBps: 30
    },
    {
      id: "pangolin_v3",
      kind: "uniswap-v3",
      factory: "0x1128f23d0bc0a8396e9fbc3c0c68f5ea228b8256",
      startBlock: 59708285
    },
    {
      id: "pharaoh_v1",
      kind: "solidly",
      factory: "0xaaa16c016bf556fcd620328f0759252e29b1ab57",
      initCodeHash: "0xbf2404274de2b11f05e5aebd49e508de933034cb5fa2d0ac3de8cbd4bcef47dc"
    },
    {
      id: "pharaoh_cl_v2",
      kind: "uniswap-v3",
      factory: "0xaaa32926fce6be95ea2c51cb4fcb60836d320c42",
      deployer: "0x95120704f4e2d545aea8b6b3c16d9da1fa32e30f",
      initCodeHash: "0x1565b129f2d1790f12d45301b9b084335626f0c92410bc43130763b69971135d",
      startBlock: 38764597
    },
    {
      id: "arenadex_v2",
      kind: "uniswap-v2",
      factory: "0xf16784dcaf838a3e16bef7711a62d12413c39bd1",
      initCodeHash: "0xe5982ea9aa099c260fbe1f626ddf304ecab74f9d85fb8c5277156486875ab7fe",
      feeBps: 30
    },
    {
      id: "curve_stable_v1",
      kind: "curve-stable",
      factory: "0xb17b674d9c5cb2e441f8e196a2f048a81355d031"
    },
    {
      id: "curve_stable_ng_v1",
      kind: "curve-stable",
      factory: "0x1764ee18e8b3cca4787249ceb249356192594585"
    },
    {
      id: "curve_twocrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f"
    },
    {
      id: "curve_tricrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0x3d6cb2f6dcf47cdd9c13e4e3beae9af041d8796a"
    },
    {
      id: "balancer_v2",
      kind: "balancer-v2",
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      startBlock: 26386141
    },
    {
      id: "balancer_v3",
      kind: "balancer-v3",
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9"
    }
  ],
  candidates: [
    {
      id: "pharaoh_v3",
      kind: "uniswap-v3",
      factory: "0xae6e5c62328ade73ceefd42228528b70c8157d0d",
      startBlock: 68700645
    },
    {
      id: "pharaoh_legacy_v3",
      kind: "solidly",
      factory: "0x85448bf2f589ab1f56225df5167c63f57758f8c1"
    },
    {
      id: "pharaoh_dlmm_v2_2",
      kind: "liquidity-book",
      factory: "0xeb480050b016f6c6d45203d2346b68bddda23d4d"
    },
    {
      id: "blackhole_v2",
      kind: "solidly",
      factory: "0xfe926062fb99ca5653080d6c14fe945ad68c265c"
    },
    {
      id: "blackhole_cl_v3",
      kind: "algebra",
      factory: "0x512eb749541b7cf294be882d636218c84a5e9e5f",
      startBlock: 65218551
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xff133a6d335b50bdaa6612d19e1352b049a8ae6a",
      startBlock: 8488454
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x2b0d94eb7a63b8a2909de1cb3951ecf7ae76d2fe",
      startBlock: 8488454
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xb7865a5cee051d35b09a48b624d7057d3362655a",
      startBlock: 8488454
    }
  ],
  routers: [
    "0x0000000000001ff3684f28c67538d4d072c22734",
    "0x02e5be68d46dac0b524905bff209cf47ee6db2a9",
    "0x0dcded3545d565ba3b19e683431381007245d983",
    "0x111111125421ca6dc452d289314280a0f8842a65",
    "0x1111111254eeb25477b68fb85ed929f73a960582",
    "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae",
    "0x18556da13313f3532c54711497a8fedac273220e",
    "0x1b02da8cb0d097eb8d57a175b88c7d8b47997506",
    "0x24c90c7d8fb463722e304a71255341610fa7589b",
    "0x33895c09a0ec0718ce66ab35dfd0b656d77cd053",
    "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
    "0x4dae2f939acf50408e13d58534ff8c2776d45265",
    "0x60ae616a2155ee3d9a68541ba4544862310933d4",
    "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    "0x6140b987d6b51fd75b66c3b07733beb5167c42fc",
    "0x6352a56caadc4f1e25cd6c75970fa768a3304e64",
    "0x661e93cca42afacb172121ef892830ca3b70f08d",
    "0x6a000f20005980200259b80c5102003040001068",
    "0x8b844f885672f333bc0042cb669255f93a4c1e6b",
    "0x94b75331ae8d42c1b61065089b7d48fe14aa73b7",
    "0xa084c11cb55e67c9becf9607f1dbb20ec4d5e7b2",
    "0xaaae99091fbb28d400029052821653c1c752483b",
    "0xac4c6e212a361c968f1725b4d055b47e63f80b75",
    "0xb4315e873dbcf96ffd0acd8ea43f689d8c20fb30",
    "0xbb00ff08d01d300023c629e8ffffcb65a5a578ce",
    "0xc1e7dfe73e1598e3910ef4c7845b68a9ab6f4c83",
    "0xdef171fe48cf0115b1d80b88dc8eab59176fee57",
    "0xdef1c0ded9bec7f1a1670819833240f027b25eff",
    "0xe3ffc583dc176575eea7fd9df2a7c65f7e23f4c3",
    "0xe54ca86531e17ef3616d22ca28b0d458b6c89106",
    "0xf39ca6ede9bf7820a952b52f3c94af526bab9015"
  ],
  settlements: [
    "0x2dfadab8266483bed9fd9a292ce56596a2d1378d",
    "0x9008d19f58aabd9ed0d60971565aa8510560ab41"
  ],
  routerCandidates: [
    {
      address: "0x0500b5050c40e06ed700005dd7cb0ef0b0d0a000",
      name: "ParaSwap Delta executor",
      settles: true
    },
    { address: "0x0d05a7d3448512b78fa8a9e46c4872c88c4a0d05", name: "Odos Router V3" },
    { address: "0x1111111254fb6c44bac0bed2854e76f90643097d", name: "1inch AggregationRouter V4" },
    { address: "0x20f6ee51340adeed01a59b0e65cb3703f3dc860c", name: "Fly (Magpie) router" },
    {
      address: "0x2ad5004c60e16e54d5007c80ce329adde5b51ef5",
      name: "1inch Fusion settlement",
      settles: true
    },
    { address: "0x85cd07ea01423b1e937929b44e4ad8c40bbb5e71", name: "Sushi RouteProcessor" },
    { address: "0x88de50b233052e4fb783d4f6db78cc34fea3e9fc", name: "Odos Router V2" },
    { address: "0xa575f37e869e6887564f87c07e2885e08d542c4a", name: "Nordstern router" },
    {
      address: "0xabd4e5fb590aa132749bbf2a04ea57efbaac399e",
      name: "1inch Fusion settlement",
      settles: true
    },
    { address: "0xbc1d9760bd6ca468ca9fb5ff2cfbeac35d86c973", name: "Bitget swap router" },
    { address: "0xe95f6eaeae1e4d650576af600b33d9f7e5f9f7fd", name: "GlueX router" },
    { address: "0xf2614a233c7c3e7f08b1f887ba133a13f1eb2c55", name: "Sushi RouteProcessor" },
    { address: "0xf75584ef6673ad213a685a1b58cc0330b8ea22cf", name: "Enso router" },
    {
      address: "0xfb2809a5314473e1165f6b58018e20ed8f07b840",
      name: "1inch Fusion settlement",
      settles: true
    }
  ],
  entryPoints: ["0xdef1c0ded9bec7f1a1670819833240f027b25eff"],
  finalityDepth: 2,
  blockTimeMs: 1000,
  ingestFloorUsd: 0
})
