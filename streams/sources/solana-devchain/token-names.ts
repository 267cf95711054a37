/** Names of the simulated chain's tokens, by its seed. */
import { seededRandom } from "../devchain/random.ts"

const FIRST =
  "Amber Brave Cosmic Dapper Eager Frosty Gentle Hollow Iron Jolly Lucky Mellow Noble Odd"
const SECOND =
  "Badger Comet Donkey Ferret Gecko Heron Ibis Lemur Marmot Newt Otter Pigeon Quokka Yak"

export interface TokenName {
  readonly name: string
  readonly symbol: string
}

/** Two words of a list, and a symbol of both; a number tells tokens of the same words apart. */
export const tokenName = (seed: string, number: number): TokenName => {
  const random = seededRandom(seed, "name", number)
  const [first, second] = [random.pick(FIRST.split(" ")), random.pick(SECOND.split(" "))]
  const symbol = `${first.slice(0, 2)}${second.slice(0, 3)}`.toUpperCase()
  return { name: `${first} ${second} ${number}`, symbol: `${symbol}${number}` }
}
