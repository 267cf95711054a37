/**
 * Which contract a factory makes, and so how its pools compute (balancer-deployments,
 * `addresses/`). Pools of other factories (surge, Gyro, reCLAMM, QuantAMM, bootstrapping ...) are
 * not quoted.
 */
export type Curve = "weighted" | "stable"

export const curveOfFactory: ReadonlyMap<string, Curve> = new Map<string, Curve>([
  // 20241205-v3-weighted-pool: ethereum, base, avalanche, monad
  ["0x201efd508c8dfe9de1a13c2452863a78cb2a86cc", "weighted"],
  ["0x5cf4928a3205728bd12830e1840f7db85c62a4b9", "weighted"],
  ["0x7ba29fe8e83dd6097a7298075c4affdbda3121cc", "weighted"],
  ["0x76578ecf9a141296ec657847fb45b0585bcda3a6", "weighted"],
  // 20241205-v3-stable-pool: ethereum, base
  ["0xb9d01ca61b9c181da1051bfdd28e1097e920ab14", "stable"],
  ["0xb9f8ab3ed3f3acba64bc6cd2dca74b7f38fd7b88", "stable"],
  // 20250324-v3-stable-pool-v2: avalanche, monad
  ["0x1702067424096f07a60e62ccee3de9420068492d", "stable"],
  ["0x81cfae226343b24ba12ec6521db2c79e7aeeb310", "stable"]
])
