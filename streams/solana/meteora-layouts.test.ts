/** Every layout of Meteora's venues that tells of pools, at the lengths that its public IDL has. */
import { expect, it } from "vitest"
import {
  A,
  B,
  created,
  graduated,
  liquidity,
  madeCall,
  madeEvent,
  OWNER,
  POOL,
  POSITION,
  toldOf,
  VAULT_A,
  VAULT_B
} from "./made-pool-events.ts"
import { type MadeInstruction, payloadOf } from "./made-transaction.ts"
import { meteoraDammV1 } from "./meteora-damm-v1/venue.ts"
import { meteoraDammV2 } from "./meteora-damm-v2/venue.ts"
import { meteoraDbc } from "./meteora-dbc/venue.ts"
import { meteoraDlmm } from "./meteora-dlmm/venue.ts"

type Row = readonly [string, MadeInstruction, object]
const NO_POSITION = { position: null }

const dlmmFields = [
  [8, POOL],
  [40, OWNER],
  [72, POSITION],
  [104, 7n],
  [112, 8n]
] as const
const damm1Fields = [
  [8, 5n],
  [16, 7n],
  [24, 8n]
] as const
const damm2Fields = [
  [8, POOL],
  [40, POSITION],
  [72, OWNER]
] as const

const damm1 = { 0: POOL, 9: VAULT_A, 10: VAULT_B }

const damm1Creations = [
  ["initialize_permissioned_pool", "4d55b29d3230d47e", 2],
  ["initialize_permissionless_pool", "76ad299dad486167", 2],
  ["initialize_permissionless_constant_product_pool_with_config", "07a68aabceabecf4", 3],
  ["initialize_permissionless_constant_product_pool_with_config2", "3095dc823d0b09b2", 3],
  ["initialize_customizable_permissionless_constant_product_pool", "9118acc2db7d03be", 2]
] as const

/** The curve's number, 50 bytes more of a stable one, and 25 basis points behind it. */
const FEE_TIER = "06874493e552a971"
const feeTier = (curve: 0 | 1) =>
  payloadOf(FEE_TIER, 90, [
    [8, curve, 1],
    [curve === 0 ? 9 : 59, 25n]
  ])

const dynamicPools: ReadonlyArray<Row> = [
  [
    "PoolCreated",
    madeEvent(meteoraDammV1, "ca2c295868dc9d52", 137, [
      [40, A],
      [72, B],
      [105, POOL]
    ]),
    created()
  ],
  ...damm1Creations.map(([name, tag, at]): Row => {
    const by = madeCall(meteoraDammV1, tag, { 0: POOL, [at]: A, [at + 1]: B })
    return [name, by, created()]
  }),
  ...([0, 1] as const).map((curve): Row => {
    const by = madeCall(meteoraDammV1, FEE_TIER, { 0: POOL, 2: A, 3: B }, feeTier(curve))
    const name = "initialize_permissionless_pool_with_fee_tier"
    return [name, by, created({ fee: 2_500 })]
  }),
  ...(
    [
      ["AddLiquidity", "1f5e7d5ae3343dba", "a8e3323ebdab54b0", 13, [7n, 8n]],
      ["AddLiquidity", "1f5e7d5ae3343dba", "4f237a54ad0f5dbf", 13, [7n, 8n]],
      ["RemoveLiquidity", "74f461e8671f983a", "856d2cb338ee7221", 13, [-7n, -8n]],
      ["RemoveLiquidity", "74f461e8671f983a", "5454b142feb90afb", 12, [-7n, -8n]]
    ] as const
  ).map(([name, tag, by, owner, [first, second]]): Row => {
    const calling = madeCall(meteoraDammV1, by, { ...damm1, [owner]: OWNER })
    const told = madeEvent(meteoraDammV1, tag, 32, damm1Fields, calling)
    return [name, told, liquidity(first, second, NO_POSITION)]
  }),
  [
    "BootstrapLiquidity",
    madeEvent(
      meteoraDammV1,
      "797f26885c370ef7",
      64,
      [...damm1Fields, [32, POOL]],
      madeCall(meteoraDammV1, "04e4d747e1fd77ce", { ...damm1, 13: OWNER })
    ),
    liquidity(7n, 8n, NO_POSITION)
  ],
  ...(
    [
      [2_500_000n, 2_500],
      // no whole number of millionths
      [2_500_001n, null]
    ] as const
  ).map(([numerator, fee]): Row => {
    const told = madeEvent(meteoraDammV2, "e432f655cb428625", 360, [
      [8, POOL],
      [40, A],
      [72, B],
      [200, numerator]
    ])
    return ["EvtInitializePool", told, created({ fee })]
  }),
  ...(
    [
      [0, "b59d59438fb63448", { 0: POOL, 6: A, 7: B }, [7n, 8n]],
      [1, "5055d14818ceb16c", { 1: POOL, 7: A, 8: B }, [-9n, -11n]],
      [1, "0a333d2370691855", { 1: POOL, 7: A, 8: B }, [-9n, -11n]]
    ] as const
  ).map(([type, by, accounts, [first, second]]): Row => {
    const fields = [
      ...damm2Fields,
      [104, 7n],
      [112, 8n],
      [120, 9n],
      [128, 11n],
      [184, type, 1]
    ] as const
    const calling = madeCall(meteoraDammV2, by, accounts)
    const told = madeEvent(meteoraDammV2, "c5ab4e7fe0d3570d", 185, fields, calling)
    return ["EvtLiquidityChange", told, liquidity(first, second)]
  }),
  ...(
    [
      ["EvtAddLiquidity", "aff2089d1ef7b9a9", 168, [7n, 8n]],
      ["EvtRemoveLiquidity", "572e5862af60225b", 152, [-7n, -8n]]
    ] as const
  ).map(([name, tag, bytes, [first, second]]): Row => {
    const told = madeEvent(meteoraDammV2, tag, bytes, [...damm2Fields, [136, 7n], [144, 8n]])
    return [name, told, liquidity(first, second, { mints: [null, null] })]
  })
]

const dlmmCall = (tag: string) => madeCall(meteoraDlmm, tag, { 1: POOL, 7: A, 8: B })

const added = (by: string): Row => [
  "AddLiquidity",
  madeEvent(meteoraDlmm, "1f5e7d5ae3343dba", 124, dlmmFields, dlmmCall(by)),
  liquidity(7n, 8n)
]

const removed = (by: string): Row => [
  "RemoveLiquidity",
  madeEvent(meteoraDlmm, "74f461e8671f983a", 124, dlmmFields, dlmmCall(by)),
  liquidity(-7n, -8n)
]

const rebalanced = [
  [8, POOL],
  [40, POSITION],
  [72, OWNER],
  [108, 70n],
  [116, 50n],
  [124, 10n],
  [132, 40n]
] as const

const meteora: ReadonlyArray<Row> = [
  [
    "LbPairCreate",
    madeEvent(meteoraDlmm, "b94afc7d1bd7bc6f", 106, [
      [8, POOL],
      [40, 25, 2],
      [42, A],
      [74, B]
    ]),
    created({ spacing: 25 })
  ],
  ...["b59d59438fb63448", "e4a24e1c46db7473", "0703967f94283dc8"].map(added),
  ...["03dd95da6f8d76d5", "1c8cee63e7a21595", "d13b3f5b6fc899e4"].map(added),
  ...["0a333d2370691855", "5055d14818ceb16c", "e6d7527ff165e392"].map(removed),
  ...["1a526698f04a691a", "cc02c391359191cd"].map(removed),
  [
    "AddLiquidity",
    madeEvent(meteoraDlmm, "1f5e7d5ae3343dba", 124, dlmmFields),
    liquidity(7n, 8n, { mints: [null, null] })
  ],
  [
    "Rebalancing",
    madeEvent(meteoraDlmm, "006d75b33d5bc7c8", 188, rebalanced, dlmmCall("5c04b0c177b95309")),
    liquidity(-20n, 30n)
  ],
  ...(
    [
      ["EvtInitializePool", "e432f655cb428625", "8c55d7b06636684f"],
      ["EvtInitializePool", "e432f655cb428625", "a976334e916edc9b"],
      ["EvtInitializePoolWithTransferHook", "d589a435c14a0f6e", "b60de9b12a918702"]
    ] as const
  ).map(([name, tag, by]): Row => {
    const fields = [
      [8, POOL],
      [104, A]
    ] as const
    const calling = madeCall(meteoraDbc, by, { 3: A, 4: B, 5: POOL })
    return [name, madeEvent(meteoraDbc, tag, 145, fields, calling), created()]
  }),
  [
    "migrate_meteora_damm",
    madeCall(meteoraDbc, "1b013016b43f76d9", { 0: POOL, 4: B, 7: A }),
    graduated({ to: B })
  ],
  [
    "migration_damm_v2",
    madeCall(meteoraDbc, "9ca9e66735e45040", { 0: POOL, 4: B, 13: A }),
    graduated({ to: B })
  ],
  ...dynamicPools
]

it.each(meteora)("%s", (name, instruction, facts) => {
  expect(toldOf(instruction)).toEqual({ told: [[name, facts]], refused: [] })
})
