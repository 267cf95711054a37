/**
 * Robinhood Chain: facts from public packages and repositories, among them
 * npm:viem@2.57.1 and npm:@uniswap/sdk-core@7.19.4,
 * written by scripts/generate-chains.mjs. Venues and routers without two sources or an official one
 * are candidates; other rows without them are left out.
 */
import { defineChain } from "./define-chain.ts"

export const rh = defineChain({
  id: 4663,
  key: "rh",
  name: "Robinhood Chain",
  native: {
    symbol: "ETH",
    decimals: 18
  },
  explorer: "https://robinhoodchain.blockscout.com",
  nativeToken: "0x0bd7d308f8e1639fab988df18a8011f41eacad73",
  anchors: [
    {
      address: "0x5fc5360d0400a0fd4f2af552add042d716f1d168",
      symbol: "USDG",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34",
      symbol: "USDe",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x0bd7d308f8e1639fab988df18a8011f41eacad73",
      symbol: "WETH",
      decimals: 18,
      kind: "native"
    },
    {
      address: "0xcec185eb182c47d1ba1efc84e6959e18cd620be4",
      symbol: "cbBTC",
      decimals: 8,
      kind: "asset"
    }
  ],
  venues: [
    {
      id: "uniswap_v2",
      kind: "uniswap-v2",
      factory: "0x8bceaa40b9acdfaedf85adf4ff01f5ad6517937f",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      feeBps: 30
    },
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0x1f7d7550b1b028f7571e69a784071f0205fd2efa",
      positionManager: "0x73991a25c818bf1f1128deaab1492d45638de0d3",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 8930
    },
    {
      id: "uniswap_v4",
      kind: "uniswap-v4",
      factory: "0x8366a39cc670b4001a1121b8f6a443a643e40951",
      positionManager: "0x58daec3116aae6d93017baaea7749052e8a04fa7",
      startBlock: 9070
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
      ]
    },
    {
      id: "sushiswap_v2",
      kind: "uniswap-v2",
      factory: "0xe52abd50ad151ecdf56427effd715e703696a6b1",
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      feeBps: 30
    },
    {
      id: "sushiswap_v3",
      kind: "uniswap-v3",
      factory: "0xe51960f1b45f1c9fb6d166e6a884f866fc70433b",
      positionManager: "0x51d0e5188afe12d502e29d982d20c190e7816107",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 6292626
    },
    {
      id: "robinswap_v3",
      kind: "uniswap-v3",
      factory: "0xea561e058313b96011e5070ca7d0f027a44e3748",
      startBlock: 6027503
    },
    {
      id: "sheriff_v3",
      kind: "algebra",
      factory: "0x21fd9ab06cc927e66013e89b045c26b3ede7bb20",
      deployer: "0x9ac30d72168a4498ae5c80226f4d3c86278e8f80",
      initCodeHash: "0x62441ebe4e4315cf3d49d5957f94d66b253dbabe7006f34ad7f70947e60bf15c"
    },
    {
      id: "swaphood_v3",
      kind: "pancakeswap-v3",
      factory: "0x0ec554f0bff0be6c99d1e95c8015bb0950f6a2c7",
      deployer: "0xcb42a120795ca98f762fdccf43cc4ab6d62bf1b2",
      initCodeHash: "0x9fca60359d787088d07f1c02f8be93ad13a3d45923e6d60b9032f18b5ac973aa",
      startBlock: 6052562
    },
    {
      id: "gigadex_v3",
      kind: "pancakeswap-v3",
      factory: "0xece6ecd61177336ea6fb9b17937ac439d85ee20b",
      deployer: "0x5952f5d501a130da00fa8fe2257d8b35ddc0a57b",
      initCodeHash: "0xfd3b64c598013443d9bb6db0da30281063a1a31138e23b55395d600154969b68",
      startBlock: 10357399
    },
    {
      id: "up_v3",
      kind: "solidly-cl",
      factory: "0x1ac9db4a2608ba45d6127b1737949b51bb54b7f3",
      initCodeHash: "0x2a16e4a055eca1bf027a534adf1626e905f61a8fd28055bbcc8787c573c76e33",
      startBlock: 6184096
    },
    {
      id: "ramses_v3",
      kind: "uniswap-v3",
      factory: "0xe0c4ceb92d08ca985bb70fe0a22feb121a9854a8",
      deployer: "0x4b37359bf291abe8453692db58d515a8b013dca9",
      initCodeHash: "0x892f127ed4b26ca352056c8fb54585a3268f76f97fdd84d5836ef4bda8d8c685",
      startBlock: 15761673
    },
    {
      id: "alandale_v3",
      kind: "algebra",
      factory: "0x16494a80e08bcb9285d87b67149d7b01774d82f8",
      deployer: "0x2fadf533d9a098310007978730554f842547fc5f",
      initCodeHash: "0xe4894f29e2491e531db85584561de8b8869774d41313c860cf4089d80a51d8a4",
      startBlock: 27941500
    }
  ],
  candidates: [
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
      id: "robinswap_v2",
      kind: "uniswap-v2",
      factory: "0xa95da9b9fcef09a07f99444fe9304457d6ecdcca",
      feeBps: 25
    },
    {
      id: "sheriff_v2",
      kind: "uniswap-v2",
      factory: "0x10f7d1ef77f58181484936170430df13539c5162",
      feeBps: 50
    },
    {
      id: "swaphood_v2",
      kind: "uniswap-v2",
      factory: "0xe7206ecac3a51afe7e6179182ad4130a26068dd1"
    },
    {
      id: "gigadex_v2",
      kind: "solidly",
      factory: "0x6fdf38f92ead1adfc04b73aaa947ab254f6c0916"
    },
    {
      id: "ramses_legacy_v2",
      kind: "solidly",
      factory: "0x43b2bf9f33036a02fc7a00935571c2a6b0108e66"
    },
    {
      id: "ramses_dlmm_v2_2",
      kind: "liquidity-book",
      factory: "0xdcd5f77697914e27f56fd263ef82923c8524abac"
    },
    {
      id: "hoodit_lb_v2_2",
      kind: "liquidity-book",
      factory: "0x22602d966defd638ee94e97a92e2eb0934c3fe1b",
      startBlock: 7297329
    },
    {
      id: "parityswap_v2",
      kind: "uniswap-v2",
      factory: "0xaa5f8c18ef9be81ffed30c223f9cd0d012a2adb9",
      feeBps: 30
    },
    {
      id: "parityswap_v3",
      kind: "uniswap-v3",
      factory: "0xd479e71c45aeb1e846a7b549c346d62fe77b39ba",
      startBlock: 14320075
    },
    {
      id: "orvex_v2",
      kind: "solidly",
      factory: "0x5c98b2d892b37c9a1d3b69472bddc172a64cdc09"
    },
    {
      id: "catnip_v1",
      kind: "uniswap-v2",
      factory: "0x002ec9782d70f4e79396c58964d4691ca648fb49",
      feeBps: 30
    }
  ],
  routers: [
    "0x02e5be68d46dac0b524905bff209cf47ee6db2a9",
    "0x111111125421ca6dc452d289314280a0f8842a65",
    "0x13f4ea83d0bd40e75c8222255bc855a974568dd4",
    "0x204faca1764b154221e35c0d20abb3c525710498",
    "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    "0x6352a56caadc4f1e25cd6c75970fa768a3304e64",
    "0x6a330d43f40ca4e21842685aee7692a6a9d4c0c8",
    "0x8876789976decbfcbbbe364623c63652db8c0904",
    "0x89e5db8b5aa49aa85ac63f691524311aeb649eba",
    "0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb",
    "0x8e6fd69a77e88ee20ba4b4fbd59dfcda3ec0e98a",
    "0x9a55d3d0c0f09859c7869510f53ed0a30b340766",
    "0xb477751b76cf82d00a686a1232f5fcd772414af3",
    "0xc94135b63772b91d79d0a2daab2a8801f32359bd",
    "0xcaf681a66d020601342297493863e78c959e5cb2"
  ],
  settlements: ["0x464fc28b9cbc1781286c8626b6e925275c8c14f1"],
  routerCandidates: [
    { address: "0x0000000000001ff3684f28c67538d4d072c22734", name: "0x AllowanceHolder" },
    { address: "0x20f6ee51340adeed01a59b0e65cb3703f3dc860c", name: "Fly (Magpie) router" },
    {
      address: "0x2ad5004c60e16e54d5007c80ce329adde5b51ef5",
      name: "1inch Fusion settlement",
      settles: true
    },
    { address: "0x603206d6105217dd972e4ab30676a220ca393346", name: "Nordstern router" },
    {
      address: "0xabd4e5fb590aa132749bbf2a04ea57efbaac399e",
      name: "1inch Fusion settlement",
      settles: true
    }
  ],
  finalityDepth: 128,
  blockTimeMs: 100
})
