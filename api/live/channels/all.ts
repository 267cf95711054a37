/** The channels that there are: each a declaration of its own file. */
import type { Channel } from "../channel.ts"
import { candles } from "./candles.ts"
import { prices } from "./prices.ts"
import { trades } from "./trades.ts"

export const allChannels: ReadonlyArray<Channel> = [trades, candles, prices]
