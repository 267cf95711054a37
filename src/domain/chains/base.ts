/**
 * Base: facts from public packages and repositories, among them
 * npm:viem@2.57.1 and npm:@uniswap/sdk-core@7.19.4,
 * written by scripts/generate-chains.mjs. Venues and routers without two sources or an official one
 * are candidates; other rows without them are left out.
 */
import { defineChain } from "./define-chain.ts"

export const base = defineChain({
  id: 8453,
  key: "base",
  name: "Base",
  native: {
    symbol: "ETH",
    decimals: 18
  },
  explorer: "https://basescan.org",
  nativeToken: "0x4200000000000000000000000000000000000006",
  anchors: [
    {
      address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      symbol: "USDC",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca",
      symbol: "USDbC",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2",
      symbol: "USDT",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "0x50c5725949a6f0c72e6c4a641f24049a917db0cb",
      symbol: "DAI",
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
      address: "0x4200000000000000000000000000000000000006",
      symbol: "WETH",
      decimals: 18,
      kind: "native"
    },
    {
      address: "0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42",
      symbol: "EURC",
      decimals: 6,
      kind: "asset"
    },
    {
      address: "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf",
      symbol: "cbBTC",
      decimals: 8,
      kind: "asset"
    },
    {
      address: "0x0555e30da8f98308edb960aa94c0db47230d2b9c",
      symbol: "WBTC",
      decimals: 8,
      kind: "asset"
    },
    {
      address: "0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22",
      symbol: "cbETH",
      decimals: 18,
      kind: "asset"
    }
  ],
  venues: [
    {
      id: "uniswap_v2",
      kind: "uniswap-v2",
      factory: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      feeBps: 30,
      startBlock: 6601915
    },
    {
      id: "uniswap_v3",
      kind: "uniswap-v3",
      factory: "0x33128a8fc17869897dce68ed026d694621f6fdfd",
      positionManager: "0x03a520b32c04bf3beef7beb72e919cf822ed34f1",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ],
      startBlock: 1371680
    },
    {
      id: "uniswap_v4",
      kind: "uniswap-v4",
      factory: "0x498581ff718922c3f8e6a244956af099b2652b2b",
      positionManager: "0x7c5f5a4bbd8fd63184577525326123b519429bdc",
      startBlock: 25350988
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
      startBlock: 2912007
    },
    {
      id: "sushiswap_v2",
      kind: "uniswap-v2",
      factory: "0x71524b4f93c58fcbf659783284e38825f0622859",
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      feeBps: 30
    },
    {
      id: "sushiswap_v3",
      kind: "uniswap-v3",
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      positionManager: "0x80c7dd17b01855a6d2347444a0fcc36136a314de",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 100, tickSpacing: 1 },
        { fee: 500, tickSpacing: 10 },
        { fee: 3000, tickSpacing: 60 },
        { fee: 10000, tickSpacing: 200 }
      ]
    },
    {
      id: "aerodrome_v2",
      kind: "solidly",
      factory: "0x420dd381b31aef6683db6b902084cb0ffece40da",
      initCodeHash: "0x1a8f01f7eab324003d9388f229ea17991eee9c9d14586f429799f3656790eba0",
      startBlock: 3200559
    },
    {
      id: "aerodrome_slipstream_v3",
      kind: "solidly-cl",
      factory: "0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a",
      positionManager: "0x827922686190790b37229fd06084350e74485b72",
      initCodeHash: "0xffb9af9ea6d9e39da47392ecc7055277b9915b8bfc9f83f105821b7791a6ae30",
      startBlock: 13843704
    },
    {
      id: "aerodrome_slipstream_gauge_caps_v3",
      kind: "solidly-cl",
      factory: "0xade65c38cd4849adba595a4323a8c7ddfe89716a",
      positionManager: "0xa990c6a764b73bf43cee5bb40339c3322fb9d55f",
      initCodeHash: "0xe524afc4d53c767ee9df4e3b4e1937f621368ef156aeffac97f1518b2b556f9d",
      startBlock: 36953918
    },
    {
      id: "aerodrome_slipstream_min_unstake_v3",
      kind: "solidly-cl",
      factory: "0xf8f2eb4940cfe7d13603dddd87f123820fc061ef",
      positionManager: "0xe1f8cd9ac4e4a65f54f38a5cdafca44f6dd68b53",
      startBlock: 44394724
    },
    {
      id: "aerodrome_slipstream_initial_v3",
      kind: "solidly-cl",
      factory: "0x9592cd9b267748cbfbde90ac9f7df3c437a6d51b",
      positionManager: "0xc741beb2156827704a1466575cca1cbf726a1178",
      startBlock: 13592962
    },
    {
      id: "baseswap_v2",
      kind: "uniswap-v2",
      factory: "0xfda619b6d20975be80a10332cd39b9a4b0faa8bb",
      initCodeHash: "0xb618a2730fae167f5f8ac7bd659dd8436d571872655bcb6fd11f2158c8a64a3b",
      feeBps: 25,
      startBlock: 2059124
    },
    {
      id: "baseswap_v3",
      kind: "uniswap-v3",
      factory: "0x38015d05f4fec8afe15d7cc0386a126574e8077b",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 80, tickSpacing: null },
        { fee: 450, tickSpacing: null },
        { fee: 2500, tickSpacing: null },
        { fee: 10000, tickSpacing: null }
      ],
      startBlock: 3608198
    },
    {
      id: "alienbase_v3",
      kind: "uniswap-v3",
      factory: "0x0fd83557b2be93617c9c1c1b6fd549401c74558c",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      feeTiers: [
        { fee: 200, tickSpacing: null },
        { fee: 750, tickSpacing: null },
        { fee: 3000, tickSpacing: null },
        { fee: 10000, tickSpacing: null }
      ]
    },
    {
      id: "curve_stable_v1",
      kind: "curve-stable",
      factory: "0x3093f9b57a428f3eb6285a589cb35bea6e78c336"
    },
    {
      id: "curve_stable_ng_v1",
      kind: "curve-stable",
      factory: "0xd2002373543ce3527023c75e7518c274a51ce712"
    },
    {
      id: "curve_crypto_v2",
      kind: "curve-crypto",
      factory: "0x5ef72230578b3e399e6c6f4f6360edf95e83bbfd"
    },
    {
      id: "curve_twocrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0xc9fe0c63af9a39402e8a5514f9c43af0322b665f"
    },
    {
      id: "curve_tricrypto_ng_v2",
      kind: "curve-crypto",
      factory: "0xa5961898870943c68037f6848d2d866ed2016bcb"
    },
    {
      id: "balancer_v2",
      kind: "balancer-v2",
      factory: "0xba12222222228d8ba445958a75a0704d566bf2c8",
      startBlock: 1196036
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
      startBlock: 15321281
    }
  ],
  candidates: [
    {
      id: "quickswap_v4",
      kind: "algebra",
      factory: "0xc5396866754799b9720125b104ae01d935ab9c7b"
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x0226fce8c969604c3a0ad19c37d1fafac73e13c2",
      startBlock: 1996181
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0x200d866edf41070de251ef92715a6ea825a5eb80",
      startBlock: 1996181
    },
    {
      id: "dodo_v2",
      kind: "dodo",
      factory: "0xc0f9553df63de5a97fe64422c8578d0657c360f7",
      startBlock: 1996181
    }
  ],
  routers: [
    "0x0000000000001ff3684f28c67538d4d072c22734",
    "0x02e5be68d46dac0b524905bff209cf47ee6db2a9",
    "0x111111125421ca6dc452d289314280a0f8842a65",
    "0x1111111254eeb25477b68fb85ed929f73a960582",
    "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae",
    "0x1b81d678ffb9c0263b24a97847620c99d213eb14",
    "0x1b8eea9315be495187d873da7773a874545d9d48",
    "0x2626664c2603336e57b271c5c0b26f421741e481",
    "0x327df1e6de05895d2ab08513aadd9313fe505d86",
    "0x3f170631ed9821ca51a59d996ab095162438dc10",
    "0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad",
    "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24",
    "0x4f37a9d177470499a2dd084621020b023fcffc1f",
    "0x59c7c832e96d2568bea6db468c1aadcbbda08a52",
    "0x5eded0d7e76c563ff081ca01d9d12d6b404df527",
    "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    "0x6352a56caadc4f1e25cd6c75970fa768a3304e64",
    "0x678aa4bf4e210cf2166753e054d5b7c31cc7fa86",
    "0x698cb2b6dd822994581fea6ea4fc755d1363a92f",
    "0x6a000f20005980200259b80c5102003040001068",
    "0x6bded42c6da8fbf0d2ba55b2fa120c5e0c8d7891",
    "0x6ff5693b99212da76ad316178a184ab56d299b43",
    "0x7c3c773c878d2238a9b64d8cee02377bf07ed06a",
    "0x8189afcc5b73dc90600fee92e5267aff1d192884",
    "0x8cfe327cec66d1c090dd72bd0ff11d690c33a2eb",
    "0xac4c6e212a361c968f1725b4d055b47e63f80b75",
    "0xaee2b8d4a154e36f479daece3fb3e6c3c03d396e",
    "0xbe6d8f0d05cc4be24d5167a3ef062215be6d18a5",
    "0xcc0e85901f33d375fcdd9a888b05df9616f68277",
    "0xcf77a3ba9a5ca399b7c97c74d54e5b1beb874e43",
    "0xd6145b2d3f379919e8cdeda7b97e37c4b2ca9c40",
    "0xd9c500dff816a1da21a48a732d3498bf09dc9aeb",
    "0xdef1c0ded9bec7f1a1670819833240f027b25eff",
    "0xfdf682f51fe81aa4898f0ae2163d8a55c127fbc7"
  ],
  settlements: [
    "0x4dac9d1769b9b304cb04741dcdeb2fc14abdf110",
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
    {
      address: "0x198ef79f1f515f02dfe9e3115ed9fc07183f02fc",
      name: "Uniswap UniversalRouter (first Base deployment)"
    },
    { address: "0x19ceead7105607cd444f5ad10dd51356436095a1", name: "Odos Router V2" },
    { address: "0x20f6ee51340adeed01a59b0e65cb3703f3dc860c", name: "Fly (Magpie) router" },
    {
      address: "0x2ad5004c60e16e54d5007c80ce329adde5b51ef5",
      name: "1inch Fusion settlement",
      settles: true
    },
    { address: "0x5e2f47bd7d4b357fcfd0bb224eb665773b1b9801", name: "OKX DEX router" },
    { address: "0x6733eb2e75b1625f1fe5f18ad2cb2babda510d19", name: "OKX DEX router" },
    { address: "0x6cb442acf35158d5eda88fe602221b67b400be3e", name: "Aerodrome UniversalRouter" },
    { address: "0x85cd07ea01423b1e937929b44e4ad8c40bbb5e71", name: "Sushi RouteProcessor" },
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
    { address: "0xc87de04e2ec1f4282dff2933a2d58199f688fc3d", name: "Nordstern router" },
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
  blockTimeMs: 2000,
  ingestFloorUsd: 0
})
