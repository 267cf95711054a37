/** Launches: pools that the log shows being made, and the tokens whose first pools they are. */

import { projection } from "../../engine/projection.ts"
import { pools } from "../pools/output.ts"
import { tapeOutput } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { LaunchFold } from "./fold.ts"
import {
  type Launches,
  launchersTable,
  launchesOutput,
  launchesTable,
  makingsTable
} from "./tables.ts"

export const launchesProjection = projection<Launches>({
  name: launchesOutput.name,
  version: 2,
  tables: [makingsTable, launchesTable, launchersTable],
  uses: [tokens, pools, tapeOutput],
  create: context => {
    const fold = new LaunchFold(context)
    return { out: fold.tables, apply: slice => fold.apply(slice), reloaded: () => fold.reloaded() }
  },
  queries: []
})
