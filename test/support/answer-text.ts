/**
 * Answers with their bodies as text, for tests that compare many of them: `toEqual` looks at the
 * bytes of an array one by one.
 */
import type { QueryAnswer } from "../../engine/question.ts"

export const asText = (answer: QueryAnswer | null) =>
  answer?.ok ? { ...answer, body: new TextDecoder().decode(answer.body) } : answer
