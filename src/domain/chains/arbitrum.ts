/**
 * Arbitrum One: facts from public packages and repositories, among them
 * npm:viem@2.57.1 and npm:@uniswap/sdk-core@7.19.4,
 * written by scripts/generate-chains.mjs. Venues and routers without two sources or an official one
 * are candidates; other rows without them are left out.
 */
import { defineChain } from "./define-chain.ts"

export const arbitrum = defineChain({
  id: 42161,
  key: "arbitrum",
  name: "Arbitrum One",
  native: {
    symbol: "ETH",
    decimals: 18
  },
  explorer: "https://arbiscan.io",
  nativeToken: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
  anchors: [
    {
      address: "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
      symbol: "USDC",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8",
      symbol: "USDC.e",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
      symbol: "USDT",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1",
      symbol: "DAI",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x6491c05a82219b8d1479057361ff1654749b876b",
      symbol: "USDS",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34",
      symbol: "USDe",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x17fc002b466eec40dae837fc4be5c67993ddbd6f",
      symbol: "FRAX",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
      symbol: "WETH",
      decimals: 18,
      kind: "native"
    },
    {
      address: "0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f",
      symbol: "WBTC",
      decimals: 8,
      kind: "asset"
    },
    {
      address: "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf",
      symbol: "cbBTC",
      decimals: 8,
      kind: "asset"
    },
    {
      address: "0x912ce59144191c1204e64559fe8253a0e49e6548",
      symbol: "ARB",
      decimals: 18,
      kind: "asset"
    }
  ],
  venues: [
    {
      id: "uniswap_v2",
      kind: "uniswap-v2",
      factory: "0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      feeBps: 30,
      startBlock: 150442611
    },
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      positionManager: "0xc36442b4a4522e871399cd717abdd847ab11fe88",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 165
    },
    {
      id: "uniswap_v4",
      kind: "uniswap-v4",
      factory: "0x360e68faccca8ca495c1b759fd9eee466db9fb32",
      positionManager: "0xd88f38f930b7952f2db2432cb002e7abbf3dd869",
      startBlock: 297842872
    },
    {
      id: "pancakeswap_v2",
      kind: "uniswap-v2",
      factory: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      initCodeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
      feeBps: 25
    },
    {
      id: "pancakeswap_v3",
      kind: "pancakeswap-v3",
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      deployer: "0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9",
      positionManager: "0x46a15b0b27311cedf172ab29e4f4766fbe7f4364",
      initCodeHash: "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 2500, tickSpacing: 50 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 101028949
    },
    {
      id: "sushiswap_v2",
      kind: "uniswap-v2",
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      feeBps: 30,
      startBlock: 70
    },
    {
      id: "sushiswap_v3",
      kind: "uniswap-v3",
      factory: "0x1af415a1eba07a4986a52b6f2e7de7003d82231e",
      positionManager: "0xf0cbce1942a68beb3d1b73f0dd86c8dcc363ef49",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 75998697
    },
    {
      id: "traderjoe_lb_v2_0",
      kind: "liquidity-book",
      factory: "0x1886d09c9ade0c5db822d85d21678db67b6c2982",
      startBlock: 47891979
    },
    {
      id: "traderjoe_lb_v2_1",
      kind: "liquidity-book",
      factory: "0x8e42f2f4101563bf679975178e880fd87d3efd4e",
      startBlock: 77473199
    },
    {
      id: "traderjoe_lb_v2_2",
      kind: "liquidity-book",
      factory: "0xb43120c4745967fa9b93e79c149e66b0f2d6fe0c",
      startBlock: 220345864
    },
    {
      id: "camelot_v2",
      kind: "uniswap-v2",
      factory: "0x6eccab422d763ac031210895c81787e87b43a652",
      initCodeHash: "0xa856464ae65f7619087bc369daaf7e387dae1e5af69cfa7935850ebf754b04c1"
    },
    {
      id: "camelot_v3",
      kind: "algebra",
      factory: "0x1a3c9b1d2f0529d97f2afc5136cc23e58f1fd35b",
      deployer: "0x6dd3fb9653b10e806650f107c3b5a0a6ff974f65",
      positionManager: "0x00c7f3082833e796a5b3e4bd59f6642ff44dcd15",
      initCodeHash: "0x6c1bebd370ba84753516bc1393c0d0a6c645856da55f5393ac8ab3d6dbc861d3",
      startBlock: 102286676
    },
    {
      id: "ramses_cl_v2",
      kind: "uniswap-v3",
      factory: "0xaa2cd7477c451e703f3b9ba5663334914763edf8",
      deployer: "0xb3e423ab9ce6c03d98326a3a2a0d7d96b0829f22",
      initCodeHash: "0x1565b129f2d1790f12d45301b9b084335626f0c92410bc43130763b69971135d",
      feeTiers: [
        { fee: 100, tickSpacing: null },
        { fee: 500, tickSpacing: null },
        { fee: 3000, tickSpacing: null },
        { fee: 10000, tickSpacing: null },
        { fee: 50, tickSpacing: null },
        { fee: 250, tickSpacing: null }
      ],
      startBlock: 90593047
    },
    {
      id: "curve_stable_v1",
      kind: "curve-stable",
      factory: "0xb17b674d9c5cb2e441f8e196a2f048a81355d031",
      startBlock: 1413161
    },
    {
      id: "curve_stable_ng_v1",
      kind: "curve-stable",
      factory: "0x9af14d26075f142eb3f292d5065eb3faa646167b"
    },
    {
      id: "curve_twocrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f"
    },
    {
      id: "curve_tricrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0xbc0797015fcfc47d9c1856639cae50d0e69fbee8"
    },
    {
      id: "balancer_v2",
      kind: "balancer-v2",
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      startBlock: 222832
    },
    {
      id: "balancer_v3",
      kind: "balancer-v3",
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9"
    },
    {
      id: "maverick_v2",
      kind: "maverick-v2",
      factory: "0x0a7e848aca42d879ef06507fca0e7b33a0a63c1e",
      startBlock: 219205177
    }
  ],
  candidates: [
    {
      id: "camelot_v4",
      kind: "algebra",
      factory: "0xd490f2f6990c0291597fd1247651b4e0dcf684dd"
    },
    {
      id: "ramses_v1",
      kind: "solidly",
      factory: "0xaaa20d08e59f6561f242b08513d36266c5a29415",
      initCodeHash: "0x1565b129f2d1790f12d45301b9b084335626f0c92410bc43130763b69971135d"
    },
    {
      id: "ramses_v3",
      kind: "uniswap-v3",
      factory: "0xd0019e86edb35e1fedaab03aed5c3c60f115d28b",
      startBlock: 420275312
    },
    {
      id: "ramses_legacy_v2",
      kind: "solidly",
      factory: "0xadd32480630a16dfacee6eefcb3ab2181449dc3b"
    },
    {
      id: "apeswap_v2",
      kind: "uniswap-v2",
      factory: "0xcf083be4164828f00cae704ec15a36d711491284",
      feeBps: 20
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xda4c4411c55b0785e501332354a036c04833b72b",
      startBlock: 226578
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xc8fe2440744dcd733246a4db14093664defd5a53",
      startBlock: 226578
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xddb13e6dd168e1a68dc2285cb212078ae10394a9",
      startBlock: 226578
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xa6cf3d163358af376ec5e8b7cc5e102a05fde63d",
      startBlock: 226578
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x46e55a974c5995675b025f7f607c3278b36f0c29",
      startBlock: 226578
    }
  ],
  routers: [
    "0x0000000000001ff3684f28c67538d4d072c22734",
    "0x013e138ef6008ae5fdfde29700e3f2bc61d21e3a",
    "0x02e5be68d46dac0b524905bff209cf47ee6db2a9",
    "0x111111125421ca6dc452d289314280a0f8842a65",
    "0x1111111254eeb25477b68fb85ed929f73a960582",
    "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae",
    "0x1b02da8cb0d097eb8d57a175b88c7d8b47997506",
    "0x1b81d678ffb9c0263b24a97847620c99d213eb14",
    "0x1f721e2e82f6676fce4ea07a5958cf098d339e18",
    "0x2191718cd32d02b8e60badffea33e4b5dd9a0a0d",
    "0x2d01411773c8c24805306e89a41f7855c3c4fe65",
    "0x32226588378236fd0c7c4053999f88ac0e5cac77",
    "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
    "0x4c60051384bd2d3c01bfc845cf5f4b44bcbe9de5",
    "0x5c3b380e5aeec389d1014da3eb372fa2c9e0fc76",
    "0x5e325eda8064b456f4781070c0738d849c824258",
    "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    "0x6352a56caadc4f1e25cd6c75970fa768a3304e64",
    "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
    "0x6a000f20005980200259b80c5102003040001068",
    "0x7bfd7192e76d950832c77bb412aae841049d8d9b",
    "0x8189afcc5b73dc90600fee92e5267aff1d192884",
    "0x8b844f885672f333bc0042cb669255f93a4c1e6b",
    "0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb",
    "0x9b892e515d2ab8869f17488d64b3b918731cc70d",
    "0xa51afafe0263b40edaef0df8781ea9aa03e381a3",
    "0xa6598a0160f6392950c7759371b6dac8eec4f6a2",
    "0xaa23611badafb62d37e7295a682d21960ac85a90",
    "0xac4c6e212a361c968f1725b4d055b47e63f80b75",
    "0xbda4176fd98b47018af673805d069b9dbd49373d",
    "0xc1e7dfe73e1598e3910ef4c7845b68a9ab6f4c83",
    "0xc873fecbd354f5a56e00e710b90ef4201db2448d",
    "0xdef171fe48cf0115b1d80b88dc8eab59176fee57",
    "0xdef1c0ded9bec7f1a1670819833240f027b25eff",
    "0xe592427a0aece92de3edee1f18e0157c05861564",
    "0xeaedc32a51c510d35ebc11088fd5ff2b47aacf2e",
    "0xfe6508f0015c778bdcc1fb5465ba5ebe224c9912"
  ],
  settlements: [
    "0x2dfadab8266483bed9fd9a292ce56596a2d1378d",
    "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
    "0xbbbbbbb520d69a9775e85b458c58c648259fad5f"
  ],
  routerCandidates: [
    {
      address: "0x0500b5050c40e06ed700005dd7cb0ef0b0d0a000",
      name: "ParaSwap Delta executor",
      settles: true
    },
    { address: "0x0d05a7d3448512b78fa8a9e46c4872c88c4a0d05", name: "Odos Router V3" },
    { address: "0x11111112542d85b3ef69ae05771c2dccff4faa26", name: "1inch AggregationRouter V3" },
    { address: "0x1111111254fb6c44bac0bed2854e76f90643097d", name: "1inch AggregationRouter V4" },
    { address: "0x20f6ee51340adeed01a59b0e65cb3703f3dc860c", name: "Fly (Magpie) router" },
    {
      address: "0x2ad5004c60e16e54d5007c80ce329adde5b51ef5",
      name: "1inch Fusion settlement",
      settles: true
    },
    { address: "0x57f96440f1b1cad53b40a8924bd540b1279a491c", name: "Nordstern router" },
    { address: "0x5e2f47bd7d4b357fcfd0bb224eb665773b1b9801", name: "OKX DEX router" },
    { address: "0x6088d94c5a40cecd3ae2d4e0710ca687b91c61d0", name: "OKX DEX router" },
    { address: "0x85cd07ea01423b1e937929b44e4ad8c40bbb5e71", name: "Sushi RouteProcessor" },
    { address: "0xa669e7a0d4b3e4fa48af2de86bd4cd7126be4e13", name: "Odos Router V2" },
    {
      address: "0xabd4e5fb590aa132749bbf2a04ea57efbaac399e",
      name: "1inch Fusion settlement",
      settles: true
    },
    { address: "0xbc1d9760bd6ca468ca9fb5ff2cfbeac35d86c973", name: "Bitget swap router" },
    {
      address: "0xbeb0b0623f66be8ce162ebdfa2ec543a522f4ea6",
      name: "Bebop JAM settlement",
      settles: true
    },
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
  finalityDepth: 64,
  blockTimeMs: 250
})
