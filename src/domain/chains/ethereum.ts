/**
 * Ethereum: facts from public packages and repositories, among them
 * npm:viem@2.57.1 and npm:@uniswap/sdk-core@7.19.4,
 * written by scripts/generate-chains.mjs. Venues and routers without two sources or an official one
 * are candidates; other rows without them are left out.
 */
import { defineChain } from "./define-chain.ts"

export const ethereum = defineChain({
  id: 1,
  key: "ethereum",
  name: "Ethereum",
  native: {
    symbol: "ETH",
    decimals: 18
  },
  explorer: "https://etherscan.io",
  nativeToken: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  anchors: [
    {
      address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      symbol: "USDC",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xdac17f958d2ee523a2206206994597c13d831ec7",
      symbol: "USDT",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0x6b175474e89094c44da98b954eedeac495271d0f",
      symbol: "DAI",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0xdc035d45d973e3ec169d2276ddab16f1e407384f",
      symbol: "USDS",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x4c9edd5852cd905f086c759e8383e09bff1e68b3",
      symbol: "USDe",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x853d955acef822db058eb8505911ed77f175b99e",
      symbol: "FRAX",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0x6c3ea9036406852006290770bedfcaba0e23a0e8",
      symbol: "PYUSD",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xe343167631d89b6ffc58b88d6b7fb0228795491d",
      symbol: "USDG",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xf939e0a03fb07f59a73314e73794be0e57ac1b4e",
      symbol: "crvUSD",
      decimals: 18,
      kind: "usd"
    },
    {
      address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
      symbol: "WETH",
      decimals: 18,
      kind: "native"
    },
    {
      address: "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599",
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
      address: "0x1abaea1f7c830bd89acc67ec4af516284b1bc33c",
      symbol: "EURC",
      decimals: 6,
      kind: "asset"
    }
  ],
  venues: [
    {
      id: "uniswap_v2",
      kind: "uniswap-v2",
      factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      feeBps: 30,
      startBlock: 10000835
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
      startBlock: 12369621
    },
    {
      id: "uniswap_v4",
      kind: "uniswap-v4",
      factory: "0x000000000004444c5dc75cb358380d2e3de08a90",
      positionManager: "0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e",
      startBlock: 21688329
    },
    {
      id: "pancakeswap_v2",
      kind: "uniswap-v2",
      factory: "0x1097053fd2ea711dad45caccc45eff7548fcb362",
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
      startBlock: 16950685
    },
    {
      id: "sushiswap_v2",
      kind: "uniswap-v2",
      factory: "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      feeBps: 30
    },
    {
      id: "sushiswap_v3",
      kind: "uniswap-v3",
      factory: "0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f",
      positionManager: "0x2214a42d8e2a1d20635c2cb0664422c528b6a432",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 16955547
    },
    {
      id: "traderjoe_lb_v2_1",
      kind: "liquidity-book",
      factory: "0xdc8d77b69155c7e68a95a4fb0f06a71ff90b943a",
      startBlock: 17821282
    },
    {
      id: "shibaswap_v1",
      kind: "uniswap-v2",
      factory: "0x115934131916c8b277dd010ee02de363c09d037c",
      initCodeHash: "0x65d1a3b1e46c6e4f1be1ad5f99ef14dc488ae0549dc97db9b30afe2241ce1c7a",
      feeBps: 30
    },
    {
      id: "curve_stable_v1",
      kind: "curve-stable",
      factory: "0xb9fc157394af804a3578134a6585c0dc9cc990d4",
      startBlock: 12903979
    },
    {
      id: "curve_stable_ng_v1",
      kind: "curve-stable",
      factory: "0x6a8cbed756804b16e05e741edabd5cb544ae21bf"
    },
    {
      id: "curve_crypto_v2",
      kind: "curve-crypto",
      factory: "0xf18056bbd320e96a48e3fbf8bc061322531aac99"
    },
    {
      id: "curve_twocrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f"
    },
    {
      id: "curve_tricrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0x0c0e5f2ff0ff18a3be9b835635039256dc4b4963"
    },
    {
      id: "curve_crvusd_v1",
      kind: "curve-stable",
      factory: "0x4f8846ae9380b90d2e71d5e3d042dff3e7ebb40d"
    },
    {
      id: "balancer_v2",
      kind: "balancer-v2",
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      startBlock: 12272146
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
      startBlock: 20027236
    }
  ],
  candidates: [
    {
      id: "apeswap_v2",
      kind: "uniswap-v2",
      factory: "0xbae5dc9b19004883d0377419fef3c2c8832d7d7b",
      feeBps: 20
    },
    {
      id: "shibaswap_v2",
      kind: "uniswap-v3",
      factory: "0xd9ce49caf7299daf18fffcb2b84a44fd33412509"
    },
    {
      id: "verse_v2",
      kind: "uniswap-v2",
      factory: "0xee3e9e46e34a27dc755a63e2849c9913ee1a06e2",
      initCodeHash: "0x34768b85d02b77066b16acc7f0875ed59566bb3c32ba4fb0438750e872fddf9e",
      feeBps: 30
    },
    {
      id: "defiswap_v2",
      kind: "uniswap-v2",
      factory: "0x9deb29c9a4c7a88a3c0257393b7f3335338d9a9d",
      feeBps: 30
    },
    {
      id: "solidly_v2",
      kind: "solidly",
      factory: "0x777de5fe8117caaa7b44f396e93a401cf5c9d4d6",
      initCodeHash: "0x413d36e4ab9e83cf39b8064a3b5c98253a9e46a6cf02c8efd185314c866d656b"
    },
    {
      id: "solidly_v3",
      kind: "uniswap-v3",
      factory: "0x70fe4a44ea505cfa3a57b95cf2862d4fd5f0f687",
      initCodeHash: "0xe9b68c5f77858eecac2e651646e208175e9b1359d68d0e14fc69f8c54e5010bf"
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x72d220ce168c4f361dd4dee5d826a01ad8598f6c",
      startBlock: 10613640
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x6fddb76c93299d985f4d3fc7ac468f9a168577a4",
      startBlock: 10613640
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x5336ede8f971339f6c0e304c66ba16f1296a2fbe",
      startBlock: 10613640
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xb5dc5e183c2acf02ab879a8569ab4edaf147d537",
      startBlock: 10613640
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x6b4fa0bc61eddc928e0df9c7f01e407bfcd3e5ef",
      startBlock: 10613640
    }
  ],
  routers: [
    "0x0000000000001ff3684f28c67538d4d072c22734",
    "0x00f23572b16c5e9e58e7b965def51ff8ff546e34",
    "0x02e5be68d46dac0b524905bff209cf47ee6db2a9",
    "0x111111125421ca6dc452d289314280a0f8842a65",
    "0x11111112542d85b3ef69ae05771c2dccff4faa26",
    "0x1111111254eeb25477b68fb85ed929f73a960582",
    "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae",
    "0x13f4ea83d0bd40e75c8222255bc855a974568dd4",
    "0x1b81d678ffb9c0263b24a97847620c99d213eb14",
    "0x23617e59a5925b2a4bf75d73ff6711cd0b29de85",
    "0x35cea9e57a393ac66aaa7e25c391d52c74b5648f",
    "0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad",
    "0x45312ea0eff7e09c83cbe249fa1d7598c4c8cd4e",
    "0x4c60051384bd2d3c01bfc845cf5f4b44bcbe9de5",
    "0x4c82d1fbfe28c977cbb58d8c7ff8fcf9f70a2cca",
    "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    "0x62e31802c6145a2d5e842eed8efe01fc224422fa",
    "0x6352a56caadc4f1e25cd6c75970fa768a3304e64",
    "0x65b382653f7c31bc0af67f188122035461ec9c76",
    "0x66a9893cc07d91d95644aedd05d03f95e1dba8af",
    "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
    "0x6a000f20005980200259b80c5102003040001068",
    "0x7a250d5630b4cf539739df2c5dacb4c659f2488d",
    "0x8189afcc5b73dc90600fee92e5267aff1d192884",
    "0x9a93a421b74f1c5755b83dd2c211614dc419c44b",
    "0xab863e752bf67d8dcdd929eaae9be9dc83fb3bbb",
    "0xac4c6e212a361c968f1725b4d055b47e63f80b75",
    "0xae563e3f8219521950555f5962419c8919758ea2",
    "0xc1e7dfe73e1598e3910ef4c7845b68a9ab6f4c83",
    "0xd9e1ce17f2641f24ae83637ab66a2cca9c378b9f",
    "0xdef171fe48cf0115b1d80b88dc8eab59176fee57",
    "0xdef1c0ded9bec7f1a1670819833240f027b25eff",
    "0xe592427a0aece92de3edee1f18e0157c05861564",
    "0xef1c6e67703c7bd7107eed8303fbe6ec2554bf6b",
    "0xeff92a263d31888d860bd50809a8d171709b7b1c"
  ],
  settlements: [
    "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
    "0xbbbbbbb520d69a9775e85b458c58c648259fad5f",
    "0xd9b2da9c45b118e4e93a004fb1452bcdb6cc0e88"
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
    { address: "0x2e1dee213ba8d7af0934c49a23187babeaca8764", name: "OKX DEX router" },
    { address: "0x5e1f62dac767b0491e3ce72469c217365d5b48cc", name: "OKX DEX router" },
    { address: "0x6088d94c5a40cecd3ae2d4e0710ca687b91c61d0", name: "OKX DEX router" },
    { address: "0x85cd07ea01423b1e937929b44e4ad8c40bbb5e71", name: "Sushi RouteProcessor" },
    { address: "0x881d40237659c251811cec9c364ef91dc08d300c", name: "MetaMask Swap Router" },
    { address: "0xa929c559e5e6537359680f39cb4e3708e1a14dd1", name: "Nordstern router" },
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
    { address: "0xcf5540fffcdc3d510b18bfca6d2b9987b0772559", name: "Odos Router V2" },
    { address: "0xe95f6eaeae1e4d650576af600b33d9f7e5f9f7fd", name: "GlueX router" },
    { address: "0xf2614a233c7c3e7f08b1f887ba133a13f1eb2c55", name: "Sushi RouteProcessor" },
    { address: "0xf6801d319497789f934ec7f83e142a9536312b08", name: "OKX DEX router" },
    { address: "0xf75584ef6673ad213a685a1b58cc0330b8ea22cf", name: "Enso router" },
    {
      address: "0xfb2809a5314473e1165f6b58018e20ed8f07b840",
      name: "1inch Fusion settlement",
      settles: true
    }
  ],
  entryPoints: ["0xdef1c0ded9bec7f1a1670819833240f027b25eff"],
  finalityDepth: 96,
  blockTimeMs: 12000
})
