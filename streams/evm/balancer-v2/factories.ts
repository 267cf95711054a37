/**
 * Which contract a factory makes, and so how its pools compute (balancer-deployments, `addresses/`
 * of mainnet, arbitrum, base and avalanche). Addresses that are another factory on another chain
 * are left out: an event does not tell its chain. Pools of other factories (oracle, linear,
 * managed, bootstrapping, Gyro ...) are not quoted.
 */
import type { StableRule } from "../../../src/math/balancer-stable/stable.ts"
import type { PowerRule } from "../../../src/math/weighted/weighted.ts"

export type Curve =
  | { readonly name: "weighted"; readonly power: PowerRule }
  | { readonly name: "stable"; readonly invariant: StableRule }

const firstWeighted: Curve = { name: "weighted", power: "logarithm" }
const weighted: Curve = { name: "weighted", power: "multiply" }
const firstStable: Curve = { name: "stable", invariant: "up" }
const stable: Curve = { name: "stable", invariant: "truncated" }

export const curveOfFactory: ReadonlyMap<string, Curve> = new Map<string, Curve>([
  // 20210418-weighted-pool
  ["0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9", firstWeighted],
  ["0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0", firstWeighted],
  ["0x7dfdef5f355096603419239ce743bfaf1120312b", firstWeighted],
  ["0xcf0a32bbef8f064969f21f7e02328fb577382018", firstWeighted],
  // 20220908-weighted-pool-v2, 20230206-…-v3, 20230320-…-v4
  ["0xcc508a455f5b0073973107db6a878ddbdab957bc", weighted],
  ["0x5dd94da3644ddd055fcf6b3e1aa310bb7801eb8b", weighted],
  ["0x897888115ada5773e02aa29f775430bfb5f34c51", weighted],
  ["0xf1665e19bc105be4edd3739f88315cc699cc5b65", weighted],
  ["0xc7e5ed1054a24ef31d827e6f86caa58b3bc168d7", weighted],
  ["0x4c32a8a8fda4e24139b51b456b42290f51d6a1c4", weighted],
  ["0x94f68b54191f62f781fe8298a8a5fa3ed772d227", weighted],
  ["0x230a59f4d9adc147480f03b0d3fffecd56c3289a", weighted],
  // 20210624-stable-pool
  ["0xc66ba2b6595d3613ccab350c886ace23866ede24", firstStable],
  ["0x2433477a10fc5d31b9513c638f19ee85caed53fd", firstStable],
  // 20220609-stable-pool-v2
  ["0xef44d6786b2b4d544b7850fe67ce6381626bf2d6", stable],
  // 20220906-composable-stable-pool to 20230711-…-v5
  ["0xf9ac7b9df2b3454e841110cce5550bd5ac6f875f", stable],
  ["0x85a80afee867adf27b50bdb7b76da70f1e853062", stable],
  ["0xdba127fbc23fb20f5929c546af220a991b5c6e01", stable],
  ["0xfada0f4547ab2de89d1304a668c39b3e09aa7c76", stable],
  ["0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a", stable],
  ["0xaeb406b0e430bf5ea2dc0b9fe62e4e53f74b3a33", stable],
  ["0x1c99324edc771c82a0dccb780cc7dda0045e50e7", stable],
  ["0x2498a2b0d6462d2260eac50ae1c3e03f4829ba95", stable],
  ["0x8df317a729fcaa260306d7de28888932cb579b88", stable],
  ["0x3b1eb8eb7b43882b385ab30533d9a2bef9052a98", stable],
  ["0xe42ffa682a26ef8f25891db4882932711d42e467", stable]
])
