/** What an instruction, with all that it calls, moves into and out of accounts. */
import type { Move, Transaction } from "./transaction.ts"

/** Returns the moves within the instruction at a place, in their order. */
export const movesWithin = ({ instructions }: Transaction, at: number): ReadonlyArray<Move> => {
  const moves: Array<Move> = []
  const height = instructions[at]!.height
  for (let next = at + 1; next < instructions.length; next++) {
    const { height: deeper, move } = instructions[next]!
    if (deeper <= height) break
    if (move !== null) moves.push(move)
  }
  return moves
}

/** Returns what an account gains by some moves; below 0 what it loses. */
export const gainOf = (moves: ReadonlyArray<Move>, account: string, native: boolean): bigint => {
  let gain = 0n
  for (const move of moves) {
    if (move.native !== native) continue
    if (move.to === account) gain += move.amount - move.fee
    if (move.from === account) gain -= move.amount
  }
  return gain
}
