/** Router candidates, which too few sources name: their chain proves that they are contracts. */
import type { ChainFact } from "../../engine/log/fact-log.ts"
import type { BlockRef } from "../../streams/event.ts"
import { checkRouter } from "../../streams/sources/venue-check/check-router.ts"
import type { ChainConfig, RouterCandidate, RouterCheck } from "../domain/chain.ts"
import type { CandidateProof } from "./candidate-proof.ts"

const checksIn = (facts: ReadonlyArray<ChainFact>): ReadonlyArray<RouterCheck> =>
  facts.flatMap(fact =>
    fact.kind === "RouterProven"
      ? [
          {
            ...{ address: fact.router, name: fact.name, settles: fact.settles === 1 },
            ...{ state: "proven", reason: fact.reason ?? "" }
          } as const
        ]
      : []
  )

const factOf = (check: RouterCheck, block: BlockRef): ChainFact => ({
  kind: "RouterProven",
  ...{ block, tx: null, logIndex: 0 },
  ...{ router: check.address, name: check.name, settles: check.settles ? 1 : 0 },
  reason: check.reason
})

const applied = (chain: ChainConfig, checks: ReadonlyArray<RouterCheck>): ChainConfig => {
  const { routerCandidates = [], settlements = [] } = chain
  const isProven = ({ address, settles = false }: RouterCandidate) =>
    checks.some(
      check => check.state === "proven" && check.address === address && check.settles === settles
    )
  const proven = routerCandidates.filter(isProven)
  const addressesOf = (isSettling: boolean) =>
    proven.flatMap(({ address, settles = false }) => (settles === isSettling ? [address] : []))
  const settling = [...settlements, ...addressesOf(true)]
  return {
    ...chain,
    routers: [...chain.routers, ...addressesOf(false)],
    ...(settling.length > 0 && { settlements: settling }),
    routerCandidates: routerCandidates.filter(one => !isProven(one)),
    routerChecks: checks.filter(({ address }) =>
      routerCandidates.some(one => one.address === address)
    )
  }
}

export const routerProof: CandidateProof<RouterCandidate, RouterCheck> = {
  name: "routers",
  checksIn,
  factOf,
  open: ({ routerCandidates = [] }) => routerCandidates,
  applied,
  check: checkRouter,
  unasked: ({ address, name, settles = false }, reason) => ({
    ...{ address, name, settles, state: "unproven", reason }
  }),
  told: ({ name, address }) => `router ${name} (${address})`
}
