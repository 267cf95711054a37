/** Layouts that tell of pools, at the lengths that public IDLs have; Meteora has its own file. */
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
import { type Field, type MadeInstruction, payloadOf } from "./made-transaction.ts"
import { NATIVE_MINT } from "./moves.ts"
import { orcaWhirlpool } from "./orca-whirlpool/venue.ts"
import { pumpfun } from "./pumpfun/venue.ts"
import { pumpswap } from "./pumpswap/venue.ts"
import { raydiumAmmV4 } from "./raydium-amm-v4/venue.ts"
import { raydiumClmm } from "./raydium-clmm/venue.ts"
import { raydiumCpmm } from "./raydium-cpmm/venue.ts"
import { raydiumLaunchlab } from "./raydium-launchlab/venue.ts"

type Row = readonly [string, MadeInstruction, object]
const NO_POSITION = { position: null }

const clmmPosition = [
  [8, POSITION],
  [40, 99n, 16],
  [56, 7n],
  [64, 8n],
  [72, 3n],
  [80, 4n]
] as const

const raydium: ReadonlyArray<Row> = [
  ["initialize", madeCall(raydiumAmmV4, "00", { 3: POOL, 7: A, 8: B }), created()],
  ["initialize2", madeCall(raydiumAmmV4, "01", { 4: POOL, 8: A, 9: B }), created()],
  ...(
    [
      ["Deposit", "01", 105, "03", 81, [7n, 8n], OWNER],
      ["Withdraw", "02", 89, "04", 73, [-7n, -8n], null]
    ] as const
  ).map(([name, tag, bytes, by, at, [first, second], owner]): Row => {
    const held = name === "Deposit" ? 25 : 17
    const fields = [
      [held, 70n],
      [held + 8, 80n],
      [at, 7n],
      [at + 8, 8n]
    ] as const
    const calling = madeCall(raydiumAmmV4, by, { 1: POOL, 6: VAULT_A, 7: VAULT_B, 12: OWNER })
    const told = madeEvent(raydiumAmmV4, tag, bytes, fields, calling)
    return [name, told, liquidity(first, second, { owner, position: null, before: [70n, 80n] })]
  }),
  [
    "PoolCreatedEvent",
    madeEvent(raydiumClmm, "195e4b2f7063353f", 190, [
      [8, A],
      [40, B],
      [72, 60, 2],
      [74, POOL]
    ]),
    created({ spacing: 60 })
  ],
  ["create_pool", madeCall(raydiumClmm, "e992d18ecf6840bc", { 2: POOL, 3: A, 4: B }), created()],
  [
    "create_customizable_pool",
    madeCall(raydiumClmm, "2b44d4a7592fa401", { 2: POOL, 3: A, 4: B }),
    created()
  ],
  ...(
    [
      ["87802f4d0f98f031", 5, { 12: VAULT_A, 13: VAULT_B }],
      ["4db84ad67056f1c7", 5, { 20: A, 21: B }],
      ["4dffae527d1dc92e", 4, { 18: A, 19: B }]
    ] as const
  ).map(([tag, pool, tokens]): Row => {
    const by = madeCall(raydiumClmm, tag, { 2: POSITION, [pool]: POOL, ...tokens })
    const fields = [
      [8, POOL],
      [72, OWNER],
      [128, 7n],
      [136, 8n],
      [144, 1n],
      [152, 1n]
    ] as const
    const told = madeEvent(raydiumClmm, "641e57f9c4df9ace", 160, fields, by)
    return ["CreatePersonalPositionEvent", told, liquidity(7n, 8n)]
  }),
  ...(
    [
      ["2e9cf3760dcdfbb2", { 9: VAULT_A, 10: VAULT_B }],
      ["851d59df45eeb00a", { 13: A, 14: B }]
    ] as const
  ).map(([tag, tokens]): Row => {
    const by = madeCall(raydiumClmm, tag, { 0: OWNER, 2: POOL, ...tokens })
    const told = madeEvent(raydiumClmm, "314f69d420221e54", 88, clmmPosition, by)
    return ["IncreaseLiquidityEvent", told, liquidity(7n, 8n)]
  }),
  ...(
    [
      ["a026d06f685b2c01", { 5: VAULT_A, 6: VAULT_B }],
      ["3a7fbc3e4f52c460", { 14: A, 15: B }]
    ] as const
  ).map(([tag, tokens]): Row => {
    const by = madeCall(raydiumClmm, tag, { 0: OWNER, 3: POOL, ...tokens })
    const told = madeEvent(raydiumClmm, "3ade563a44325538", 128, clmmPosition.slice(0, 4), by)
    return ["DecreaseLiquidityEvent", told, liquidity(-7n, -8n)]
  }),
  ...(
    [
      ["initialize", "afaf6d1f0d989bed", 3],
      ["initialize_with_permission", "3f37fe4131b25979", 4]
    ] as const
  ).map(([name, tag, at]): Row => {
    const by = madeCall(raydiumCpmm, tag, { [at]: POOL, [at + 1]: A, [at + 2]: B })
    return [name, by, created()]
  }),
  ...(
    [
      ["f223c68952e1f2b6", 0, [7n, 8n]],
      ["b712469c946da122", 1, [-8n, -10n]]
    ] as const
  ).map(([tag, type, [first, second]]): Row => {
    const fields = [
      [8, POOL],
      [48, 70n],
      [56, 80n],
      [64, 7n],
      [72, 8n],
      [80, 1n],
      [88, 2n],
      [96, type, 1]
    ] as const
    const by = madeCall(raydiumCpmm, tag, { 0: OWNER, 2: POOL, 10: A, 11: B })
    const told = madeEvent(raydiumCpmm, "79a3cdc939da753c", 97, fields, by)
    const more = { ...NO_POSITION, before: [70n, 80n] }
    return ["LpChangeEvent", told, liquidity(first, second, more)]
  }),
  ...["afaf6d1f0d989bed", "4399af27da102620", "25be7ede2c9aab11"].map((tag): Row => {
    const by = madeCall(raydiumLaunchlab, tag, { 5: POOL, 6: A, 7: B })
    const told = madeEvent(raydiumLaunchlab, "97d7e20976a173ae", 180, [[8, POOL]], by)
    return ["PoolCreateEvent", told, created()]
  }),
  ...(
    [
      ["faea0d7bd59c13ec", 138, 137],
      ["18d3742869039938", 147, 145],
      ["9527de9bd37c981a", 147, 145],
      ["5fc8472208090ba6", 138, 137]
    ] as const
  ).map(([tag, bytes, statusAt]): Row => {
    const by = madeCall(raydiumLaunchlab, tag, { 4: POOL, 9: A, 10: B })
    const fields = [
      [8, POOL],
      [statusAt, 1, 1]
    ] as const
    return [
      "TradeEvent",
      madeEvent(raydiumLaunchlab, "bddb7fd34ee661ee", bytes, fields, by),
      graduated({})
    ]
  }),
  [
    "migrate_to_amm",
    madeCall(raydiumLaunchlab, "cf52c091fecf91df", { 1: A, 13: B, 23: POOL }),
    graduated({ to: B })
  ],
  [
    "migrate_to_cpswap",
    madeCall(raydiumLaunchlab, "885cc8671cda908c", { 1: A, 5: B, 17: POOL }),
    graduated({ to: B })
  ]
]

const whirlpool = [
  [8, POOL],
  [40, POSITION],
  [96, 70n],
  [104, 80n],
  [112, 3n],
  [120, 4n]
] as const
const VAULTS = { 7: VAULT_A, 8: VAULT_B }
const MINTS = { 7: A, 8: B }
const spacingOf = (tag: string, at: number) => payloadOf(tag, 40, [[at, 64, 2]])

const orca: ReadonlyArray<Row> = [
  [
    "PoolInitialized",
    madeEvent(orcaWhirlpool, "6476ad570cc6fee5", 220, [
      [8, POOL],
      [72, A],
      [104, B],
      [136, 64, 2]
    ]),
    created({ spacing: 64 })
  ],
  ...(
    [
      ["initialize_pool", "5fb40aac54aee828", 4, 9, 64],
      ["initialize_pool_v2", "cf2d57f21b3fcc43", 6, 8, 64],
      ["initialize_pool_with_adaptive_fee", "8f5e604cac7c77c7", 7, 8, null]
    ] as const
  ).map(([name, tag, pool, at, spacing]): Row => {
    const by = madeCall(orcaWhirlpool, tag, { 1: A, 2: B, [pool]: POOL }, spacingOf(tag, at))
    return [name, by, created({ spacing })]
  }),
  ...(
    [
      ["LiquidityIncreased", "1e0790b566fe9ba1", "2e9cf3760dcdfbb2", 2, [67n, 76n], VAULTS],
      ["LiquidityIncreased", "1e0790b566fe9ba1", "851d59df45eeb00a", 4, [67n, 76n], MINTS],
      ["LiquidityIncreased", "1e0790b566fe9ba1", "effb097cd2c6352b", 4, [67n, 76n], MINTS],
      ["LiquidityDecreased", "a601244770cab5ab", "a026d06f685b2c01", 2, [-70n, -80n], VAULTS],
      ["LiquidityDecreased", "a601244770cab5ab", "3a7fbc3e4f52c460", 4, [-70n, -80n], MINTS]
    ] as const
  ).map(([name, tag, by, owner, [first, second], tokens]): Row => {
    const calling = madeCall(orcaWhirlpool, by, { 0: POOL, [owner]: OWNER, ...tokens })
    const told = madeEvent(orcaWhirlpool, tag, 128, whirlpool, calling)
    return [name, told, liquidity(first, second)]
  }),
  [
    "LiquidityRepositioned",
    madeEvent(
      orcaWhirlpool,
      "5f82b584fb32c326",
      186,
      [
        [8, POOL],
        [40, POSITION],
        [120, 100n],
        [128, 20n],
        [136, 70n],
        [144, 90n]
      ],
      madeCall(orcaWhirlpool, "bfa9e00b83139efd", { 0: POOL, 4: OWNER, 8: A, 9: B })
    ),
    liquidity(-30n, 70n)
  ]
]

/** Three texts of no letters, then mint and curve. */
const launch = (bytes: number, fields: ReadonlyArray<Field> = []) =>
  madeEvent(pumpfun, "1b72a94ddeeb6376", bytes, [[20, A], [52, POOL], ...fields])
const QUOTE_AT = 20 + 202

const pump: ReadonlyArray<Row> = [
  ["CreateEvent", launch(84), created({ mints: [A, NATIVE_MINT] })],
  // before the quote was told, with SOL told, and with a token
  ["CreateEvent", launch(221), created({ mints: [A, NATIVE_MINT] })],
  ["CreateEvent", launch(271), created({ mints: [A, NATIVE_MINT] })],
  ["CreateEvent", launch(271, [[QUOTE_AT, B]]), created()],
  ...[112, 144].map((bytes): Row => {
    const fields = [
      [8, OWNER],
      [40, A],
      [72, POOL]
    ] as const
    return ["CompleteEvent", madeEvent(pumpfun, "5f72619cd42e9808", bytes, fields), graduated({})]
  }),
  ...[168, 200].map((bytes): Row => {
    const fields = [
      [40, A],
      [96, POOL],
      [136, B]
    ] as const
    const told = madeEvent(pumpfun, "bde95db95c94ea94", bytes, fields)
    return ["CompletePumpAmmMigrationEvent", told, graduated({ to: B })]
  }),
  ...[333, 343].map((bytes): Row => {
    const fields = [
      [50, A],
      [82, B],
      [173, POOL]
    ] as const
    return ["CreatePoolEvent", madeEvent(pumpswap, "b1310cd2a076a774", bytes, fields), created()]
  }),
  ...(
    [
      ["DepositEvent", "78f83d531f8e6b90", "f223c68952e1f2b6", [7n, 8n]],
      ["WithdrawEvent", "1609851aa02c47c0", "b712469c946da122", [-7n, -8n]]
    ] as const
  ).map(([name, tag, by, [first, second]]): Row => {
    const fields = [
      [56, 70n],
      [64, 80n],
      [72, 7n],
      [80, 8n],
      [96, POOL],
      [128, OWNER]
    ] as const
    const calling = madeCall(pumpswap, by, { 0: POOL, 3: A, 4: B })
    const told = madeEvent(pumpswap, tag, 256, fields, calling)
    return [name, told, liquidity(first, second, { ...NO_POSITION, before: [70n, 80n] })]
  })
]

it.each([...raydium, ...orca, ...pump])("%s", (name, instruction, facts) => {
  expect(toldOf(instruction)).toEqual({ told: [[name, facts]], refused: [] })
})
