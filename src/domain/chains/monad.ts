/**
 * Monad: facts from public packages and repositories, among them
 * npm:viem@2.57.1 and npm:@uniswap/sdk-core@7.19.4,
 * written by scripts/generate-chains.mjs. Venues and routers without two sources or an official one
 * are candidates; other rows without them are left out.
 */
import { defineChain } from "./define-chain.ts"

export const monad = defineChain({
  id: 143,
  key: "monad",
  name: "Monad",
  native: {
    symbol: "MON",
    decimals: 18
  },
  explorer: "https://monadscan.com",
  nativeToken: "0x3bd359c1119da7da1d913d1c4d2b7c461115433a",
  anchors: [
    {
      address: "0x754704bc059f8c67012fed69bc8a327a5aafb603",
      symbol: "USDC",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xe7cd86e13ac4309349f30b3435a9d337750fc82d",
      symbol: "USDT",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0x00000000efe302beaa2b3e6e1b18d08d69a9012a",
      symbol: "AUSD",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0x3bd359c1119da7da1d913d1c4d2b7c461115433a",
      symbol: "WMON",
      decimals: 18,
      kind: "native"
    },
    {
      address: "0xee8c0e9f1bffb4eb878d8f15f368a02a35481242",
      symbol: "WETH",
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
      factory: "0x182a927119d56008d921126764bf884221b10f59",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      feeBps: 30
    },
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0x204faca1764b154221e35c0d20abb3c525710498",
      positionManager: "0x7197e214c0b767cfb76fb734ab638e2c192f4e53",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 29255827
    },
    {
      id: "uniswap_v4",
      kind: "uniswap-v4",
      factory: "0x188d586ddcf52439676ca21a244753fa19f9ea8e",
      positionManager: "0x5b7ec4a94ff9bedb700fb82ab09d5846972f4016",
      startBlock: 29255895
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
      startBlock: 23058782
    },
    {
      id: "traderjoe_lb_v2_2",
      kind: "liquidity-book",
      factory: "0xb43120c4745967fa9b93e79c149e66b0f2d6fe0c",
      startBlock: 32250766
    },
    {
      id: "curve_stable_ng_v1",
      kind: "curve-stable",
      factory: "0x8271e06e5887fe5ba05234f5315c19f3ec90e8ad"
    },
    {
      id: "curve_twocrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0xe7fbd704b938cb8fe26313c3464d4b7b7348c88c"
    },
    {
      id: "curve_tricrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0x6e28493348446503db04a49621d8e6c9a40015fb"
    },
    {
      id: "balancer_v3",
      kind: "balancer-v3",
      factory: "0xba1333333333a1ba1108e8412f11850a5c319ba9"
    },
    {
      id: "capricorn_v3",
      kind: "uniswap-v3",
      factory: "0x6b5f564339dbad6b780249827f2198a841feb7f3",
      positionManager: "0x4c02af995bb1f574c9bf31f43ddc112414ae0ac7",
      initCodeHash: "0x32103411033f4f192bc82f2336cf034c3faf574dfaa3539190239fc1f27ab9fa",
      startBlock: 36628679
    },
    {
      id: "octoswap_v2",
      kind: "uniswap-v2",
      factory: "0xce104732685b9d7b2f07a09d828f6b19786cda32"
    },
    {
      id: "octoswap_v3",
      kind: "uniswap-v3",
      factory: "0x30db57a29acf3641dfc3885af2e5f1f5a408d9cb",
      positionManager: "0x16eb676bbbe51eb6e4e9ddf57bfbee0537aa4d7b",
      startBlock: 33818287
    },
    {
      id: "monday_trade_v3",
      kind: "uniswap-v3",
      factory: "0xc1e98d0a2a58fb8abd10ccc30a58efff4080aa21",
      positionManager: "0x68b507bf58ed32173f41ff20aa2494a569daec44",
      startBlock: 35093818
    }
  ],
  candidates: [
    {
      id: "traderjoe_v1",
      kind: "uniswap-v2",
      factory: "0xe32d45c2b1c17a0fe0de76f1ebfa7c44b7810034",
      feeBps: 30,
      startBlock: 32248561
    },
    {
      id: "pangolin_v3",
      kind: "uniswap-v3",
      factory: "0x44805f92db5bb31b54632a55fc4b2b7e885b0e0e",
      startBlock: 37771314
    },
    {
      id: "pinot_v3",
      kind: "uniswap-v3",
      factory: "0x7716f310d62aee3d009fd94067c627fe7e2f2aa9",
      startBlock: 36151690
    },
    {
      id: "aethonswap_v3",
      kind: "algebra",
      factory: "0x05aa1d36f78d1242c40b3680d38eb1fee7060c20",
      startBlock: 31728497
    }
  ],
  routers: [
    "0x0000000000001ff3684f28c67538d4d072c22734",
    "0x003989cd92c31a51d8b20bdbd0c51e444f88d081",
    "0x026f252016a7c47cdef1f05a3fc9e20c92a49c37",
    "0x02e5be68d46dac0b524905bff209cf47ee6db2a9",
    "0x0b79d71ae99528d1db24a4148b5f4f865cc2b137",
    "0x0d3a1be29e9ded63c7a5678b31e847d68f71ffa2",
    "0x0d97dc33264bfc1c226207428a79b26757fb9dc3",
    "0x18556da13313f3532c54711497a8fedac273220e",
    "0x1b81d678ffb9c0263b24a97847620c99d213eb14",
    "0x21114915ac6d5a2e156931e20b20b038ded0be7c",
    "0x23682a588cf2601aca977df200938634c9f7d552",
    "0x45a62b090df48243f12a21897e7ed91863e2c86b",
    "0x465d06d4521ae9ce724e0c182daad5d8a2ff7040",
    "0x4b2ab38dbf28d31d467aa8993f6c2585981d6804",
    "0x588c00159aed9a9ab258850b33dedfac1c794fa1",
    "0x6088d94c5a40cecd3ae2d4e0710ca687b91c61d0",
    "0x60fd5aa15debd5ffdefb5129fd9fd8a34d80d608",
    "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    "0x6352a56caadc4f1e25cd6c75970fa768a3304e64",
    "0x962287c9d5b8a682389e61edae90ec882325d08b",
    "0x9da18982a33fd0c7051b19f0d7c76f2d5e7e017c",
    "0xa68a7f0601effdc65c64d9c47ca1b18d96b4352c",
    "0xa6ce4f10d83dbddac17e68e1837ca9ce6a1b596e",
    "0xac4c6e212a361c968f1725b4d055b47e63f80b75",
    "0xb1bc24c34e88f7d43d5923034e3a14b24daacff9",
    "0xb3e6778480b2e488385e8205ea05e20060b813cb",
    "0xbfd2cf709a17c4eee8daaf3b96e134408881259e",
    "0xd6145b2d3f379919e8cdeda7b97e37c4b2ca9c40",
    "0xd651346d7c789536ebf06dc72ae3c8502cd695cc",
    "0xdac97b6a3951641b177283028a8f428332333071",
    "0xfdf682f51fe81aa4898f0ae2163d8a55c127fbc7",
    "0xfe31f71c1b106eac32f1a19239c9a9a72ddfb900",
    "0xfe951b693a2fe54be5148614b109e316b567632f",
    "0xff5cb29241f002ffed2eaa224e3e996d24a6e8d1"
  ],
  settlements: [
    "0x3ec130b627944cad9b2750300ecb0a695da522b6",
    "0x765faa0ffb5557c6cce2ea1097d50acfd5f5c58c",
    "0x956df8424b556f0076e8abf5481605f5a791cc7f",
    "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f"
  ],
  routerCandidates: [
    { address: "0x20f6ee51340adeed01a59b0e65cb3703f3dc860c", name: "Fly (Magpie) router" },
    { address: "0x478cf28fd1ba92a6afd04f44b05833f6df7f1486", name: "0x Settler (taker)" },
    { address: "0x4face5b0ef2757ceb9151d14c036a1135931c70e", name: "traderjoe_v1 router" },
    {
      address: "0xb2376d1183829f444e0ffe9ef1ffaf1b483b84f3",
      name: "0x Settler (intent)",
      settles: true
    },
    { address: "0xb40e9939bb598c38665a5c99c68020eeb8cf49fb", name: "0x BridgeSettler" },
    {
      address: "0xfb36b62145a4b272bc804e5e1b41ddbf4bff4cf4",
      name: "0x Settler (metatxn)",
      settles: true
    }
  ],
  finalityDepth: 3,
  blockTimeMs: 400
})
