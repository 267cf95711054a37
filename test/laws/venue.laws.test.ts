/**
 * Laws of every venue kind in `streams/evm/venue-kinds.ts`, and of the events that are of none.
 * What must be told for them is in `streams/venue-laws.ts`. `venue-swaps.laws.test.ts` beside it
 * has those of whole swaps.
 */
import { creationLaws } from "../support/creation-laws.ts"
import { declarationLaws } from "../support/declaration-laws.ts"
import { emitterLaws } from "../support/emitter-laws.ts"
import { eventLaws } from "../support/event-laws.ts"
import { factCallLaws } from "../support/fact-call-laws.ts"
import { feeLaws } from "../support/fee-laws.ts"
import { neverQuoting } from "../support/never-quoting.ts"
import { poolLaws } from "../support/pool-laws.ts"
import { stateReadLaws } from "../support/state-read-laws.ts"
import { tradedAsLaws } from "../support/traded-as-laws.ts"
import { furtherUnderLaw, kindsUnderLaw } from "../support/venue-laws.ts"
import { widthLaws } from "../support/width-laws.ts"

for (const under of furtherUnderLaw) eventLaws(under)

const kinds = await kindsUnderLaw()
const listed = kinds.map(one => one.kind)
for (const { kind, laws } of kinds) {
  declarationLaws({ kind, laws }, kinds)
  emitterLaws({ kind, laws })
  eventLaws({ events: kind.events, laws })
  poolLaws({ kind, laws })
  creationLaws({ kind, laws })
  widthLaws({ kind, laws })
  factCallLaws({ kind, laws })
  feeLaws({ kind, laws }, listed)
  tradedAsLaws({ kind, laws }, listed)
  stateReadLaws({ kind, laws })
}

poolLaws(neverQuoting(kinds))
