/** The channels that there are: each a declaration of its own file. */
import type { Channel } from "../channel.ts"
import { boards } from "./boards.ts"
import { candles } from "./candles.ts"
import { prices } from "./prices.ts"
import { status } from "./status.ts"
import { trades } from "./trades.ts"

export const allChannels: ReadonlyArray<Channel> = [trades, candles, prices, boards, status]
