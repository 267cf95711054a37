/**
 * Robinhood Chain: facts from public packages and repositories, among them
 * npm:viem@2.57.1 and npm:@uniswap/sdk-core@7.19.4,
 * written by scripts/generate-chains.mjs. Rows without two sources or an official one are left out.
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
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        {
          fee: 100,
          tickSpacing: 1
        },
        {
          fee: 500,
          tickSpacing: 10
        },
        {
          fee: 3000,
          tickSpacing: 60
        },
        {
          fee: 10000,
          tickSpacing: 200
        }
      ],
      startBlock: 8930
    },
    {
      id: "pancakeswap_v2",
      kind: "uniswap-v2",
      factory: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      initCodeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
      feeBps: 25
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
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        {
          fee: 100,
          tickSpacing: 1
        },
        {
          fee: 500,
          tickSpacing: 10
        },
        {
          fee: 3000,
          tickSpacing: 60
        },
        {
          fee: 10000,
          tickSpacing: 200
        }
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
      id: "ramses_v3",
      kind: "uniswap-v3",
      factory: "0xe0c4ceb92d08ca985bb70fe0a22feb121a9854a8",
      deployer: "0x4b37359bf291abe8453692db58d515a8b013dca9",
      initCodeHash: "0x892f127ed4b26ca352056c8fb54585a3268f76f97fdd84d5836ef4bda8d8c685",
      startBlock: 15761673
    }
  ],
  routers: [
    "0x02e5be68d46dac0b524905bff209cf47ee6db2a9",
    "0x111111125421ca6dc452d289314280a0f8842a65",
    "0x13f4ea83d0bd40e75c8222255bc855a974568dd4",
    "0x204faca1764b154221e35c0d20abb3c525710498",
    "0x464fc28b9cbc1781286c8626b6e925275c8c14f1",
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
  finalityDepth: 128,
  blockTimeMs: 100
})
