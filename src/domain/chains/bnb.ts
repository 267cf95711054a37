/**
 * BNB Smart Chain: facts from public packages and repositories, among them
 * npm:viem@2.57.1 and npm:@uniswap/sdk-core@7.19.4,
 * written by scripts/generate-chains.mjs. Venues and routers without two sources or an official one
 * are candidates; other rows without them are left out.
 */
import { defineChain } from "./define-chain.ts"

export const bnb = defineChain({
  id: 56,
  key: "bnb",
  name: "BNB Smart Chain",
  native: {
    symbol: "BNB",
    decimals: 18
  },
  explorer: "https://bscscan.com",
  nativeToken: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
  anchors: [
    {
      address: "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
      symbol: "USDC",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x55d398326f99059ff775485246999027b3197955",
      symbol: "USDT",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x1af3f329e8be154074d8769d1ffa4ee058b1dbc3",
      symbol: "DAI",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0xe9e7cea3dedca5984780bafc599bd69add087d56",
      symbol: "BUSD",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0xc5f0f7b66764f6ec8c8dff7ba683102295e16409",
      symbol: "FDUSD",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x8d0d000ee44948fc98c9b98a4fa4921476f08b0d",
      symbol: "USD1",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
      symbol: "WBNB",
      decimals: 18,
      kind: "native"
    },
    {
      address: "0x2170ed0880ac9a755fd29b2688956bd959f933f8",
      symbol: "ETH",
      decimals: 18,
      kind: "asset"
    },
    {
      address: "0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c",
      symbol: "BTCB",
      decimals: 18,
      kind: "asset"
    },
    {
      address: "0x0555e30da8f98308edb960aa94c0db47230d2b9c",
      symbol: "WBTC",
      decimals: 8,
      kind: "asset"
    }
  ],
  venues: [
    {
      id: "uniswap_v2",
      kind: "uniswap-v2",
      factory: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      feeBps: 30
    },
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7",
      positionManager: "0x7b8a01b39d58278b5de7e48c8449c9f4f5170613",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 26324014
    },
    {
      id: "uniswap_v4",
      kind: "uniswap-v4",
      factory: "0x28e2ea090877bf75740558f6bfb36a5ffee9e9df",
      positionManager: "0x7a4a5c919ae2541aed11041a1aeee68f1287f95b",
      startBlock: 45970610
    },
    {
      id: "pancakeswap_v2",
      kind: "uniswap-v2",
      factory: "0xca143ce32fe78f1f7019d7d551a6402fc5350c73",
      initCodeHash: "0x00fb7f630766e6a796048ea87d01acd3068e8ff67d078148a3fa3f4a84f69bd5",
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
      startBlock: 26956207
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
      factory: "0x126555dd55a39328f69400d6ae4f782bd4c34abb",
      positionManager: "0xf70c086618dcf2b1a461311275e00d6b722ef914",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 26976538
    },
    {
      id: "traderjoe_lb_v2_0",
      kind: "liquidity-book",
      factory: "0x43646a8e839b2f2766392c1bf8f60f6e587b6960",
      startBlock: 26153438
    },
    {
      id: "traderjoe_lb_v2_1",
      kind: "liquidity-book",
      factory: "0x8e42f2f4101563bf679975178e880fd87d3efd4e",
      startBlock: 27099340
    },
    {
      id: "apeswap_v2",
      kind: "uniswap-v2",
      factory: "0x0841bd0b734e4f5853f0dd8d7ea041c241fb0da6",
      initCodeHash: "0xf4ccce374816856d11f00e4069e7cada164065686fbef53c6167a63ec2fd8c5b",
      feeBps: 20
    },
    {
      id: "thena_v1",
      kind: "solidly",
      factory: "0xafd89d21bdb66d00817d4153e055830b1c2b3970",
      initCodeHash: "0x8d3d214c094a9889564f695c3e9fa516dd3b50bc3258207acd7f8b8e6b94fb65"
    },
    {
      id: "thena_integral_v3",
      kind: "algebra",
      factory: "0x30055f87716d3dfd0e5198c27024481099fb4a98",
      deployer: "0x06852dc9d6e44782dd02994c368febc4dc1b8a17",
      initCodeHash: "0xb3fc09be5eb433d99b1ec89fd8435aaf5ffea75c1879e19028aa2414a14b3c85",
      startBlock: 44121855
    },
    {
      id: "curve_stable_v1",
      kind: "curve-stable",
      factory: "0xefde221f306152971d8e9f181bfe998447975810"
    },
    {
      id: "curve_stable_ng_v1",
      kind: "curve-stable",
      factory: "0xd7e72f3615aa65b92a4dbdc211e296a35512988b"
    },
    {
      id: "curve_crypto_v2",
      kind: "curve-crypto",
      factory: "0xbd5fbd2fa58cb15228a9abdac9ec994f79e3483c"
    },
    {
      id: "curve_twocrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f"
    },
    {
      id: "curve_tricrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0xc55837710bc500f1e3c7bb9dd1d51f7c5647e657"
    },
    {
      id: "maverick_v2",
      kind: "maverick-v2",
      factory: "0x0a7e848aca42d879ef06507fca0e7b33a0a63c1e",
      startBlock: 39421941
    }
  ],
  candidates: [
    {
      id: "traderjoe_v1",
      kind: "uniswap-v2",
      factory: "0x4f8bdc85e3eec5b9de67097c3f59b6db025d9986",
      feeBps: 30
    },
    {
      id: "biswap_v2",
      kind: "uniswap-v2",
      factory: "0x858e3312ed3a876947ea49d572a7c42de08af7ee",
      feeBps: 20
    },
    {
      id: "thena_fusion_v3",
      kind: "algebra",
      factory: "0x306f06c147f064a010530292a1eb6737c3e378e4",
      startBlock: 26030310
    },
    {
      id: "balancer_v2",
      kind: "balancer-v2",
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8"
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x790b4a80fb1094589a3c0efc8740aa9b0c1733fb",
      startBlock: 726278
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xf50bdc9e90b7a1c138cb7935071b85c417c4cb8e",
      startBlock: 726278
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x0fb9815938ad069bf90e14fe6c596c514bede767",
      startBlock: 726278
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xd9cac3d964327e47399aebd8e1e6dcc4c251daae",
      startBlock: 726278
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x7737fd30535c69545deeea54ab8dd590ccaebd3c",
      startBlock: 726278
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x9b64c81ba54ea51e1f6b7fefb3cff8aa6f1e2a09",
      startBlock: 726278
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xafe0a75dffb395eaabd0a7e1bbbd0b11f8609eef",
      startBlock: 726278
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x78d43a889f42a344fe98c3fb9455791dc8178d55",
      startBlock: 726278
    }
  ],
  routers: [
    "0x0000000000001ff3684f28c67538d4d072c22734",
    "0x02e5be68d46dac0b524905bff209cf47ee6db2a9",
    "0x10ed43c718714eb63d5aa57b78b54704e256024e",
    "0x111111125421ca6dc452d289314280a0f8842a65",
    "0x11111112542d85b3ef69ae05771c2dccff4faa26",
    "0x1111111254eeb25477b68fb85ed929f73a960582",
    "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae",
    "0x13f4ea83d0bd40e75c8222255bc855a974568dd4",
    "0x1906c1d672b88cd1b9ac7593301ca990f94eae07",
    "0x1b02da8cb0d097eb8d57a175b88c7d8b47997506",
    "0x1b81d678ffb9c0263b24a97847620c99d213eb14",
    "0x374bfcc264678c67a582d067ad91f1951bc6b20f",
    "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
    "0x4dae2f939acf50408e13d58534ff8c2776d45265",
    "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    "0x6352a56caadc4f1e25cd6c75970fa768a3304e64",
    "0x6a000f20005980200259b80c5102003040001068",
    "0x8189afcc5b73dc90600fee92e5267aff1d192884",
    "0x83c346ba3d4bf36b308705e24fad80999401854b",
    "0x8b844f885672f333bc0042cb669255f93a4c1e6b",
    "0xa72c85c258a81761433b4e8da60505fe3dd551cc",
    "0xac4c6e212a361c968f1725b4d055b47e63f80b75",
    "0xb4315e873dbcf96ffd0acd8ea43f689d8c20fb30",
    "0xb66a2704a0dabc1660941628be987b4418f7a9e8",
    "0xb971ef87ede563556b2ed4b1c0b0019111dd85d2",
    "0xc1e7dfe73e1598e3910ef4c7845b68a9ab6f4c83",
    "0xd9c500dff816a1da21a48a732d3498bf09dc9aeb",
    "0xdc264714f68d84cf29bc605589405e78bdbe7c9f",
    "0xdef171fe48cf0115b1d80b88dc8eab59176fee57",
    "0xdef1c0ded9bec7f1a1670819833240f027b25eff"
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
    { address: "0x1111111254fb6c44bac0bed2854e76f90643097d", name: "1inch AggregationRouter V4" },
    { address: "0x1a3304cbef66de00fbe1548cc4c6585ad22fbcff", name: "Nordstern router" },
    { address: "0x20f6ee51340adeed01a59b0e65cb3703f3dc860c", name: "Fly (Magpie) router" },
    {
      address: "0x2ad5004c60e16e54d5007c80ce329adde5b51ef5",
      name: "1inch Fusion settlement",
      settles: true
    },
    { address: "0x6015126d7d23648c2e4466693b8deab005ffaba8", name: "OKX DEX router" },
    { address: "0x85cd07ea01423b1e937929b44e4ad8c40bbb5e71", name: "Sushi RouteProcessor" },
    { address: "0x89b8aa89fdd0507a99d334cbe3c808fafc7d850e", name: "Odos Router V2" },
    { address: "0x9b9efa5efa731ea9bbb0369e91fa17abf249cfd4", name: "OKX DEX router" },
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
  finalityDepth: 20,
  blockTimeMs: 450,
  ingestFloorUsd: 100
})
