import type { Question } from './api.js'

/**
 * How each question of the page is asked and answered, for the page, the server and the report. `isChange`: the
 * question changes something or is long, so that the page sends it as a POST, which a link cannot do. `inReport`: a
 * report contains the answer; for `skill`, one answer for each skill.
 */
export const questionKinds: Readonly<Record<Question, { readonly isChange: boolean; readonly inReport: boolean }>> = {
  about: { isChange: false, inReport: true },
  skills: { isChange: false, inReport: true },
  skill: { isChange: false, inReport: true },
  listing: { isChange: false, inReport: true },
  health: { isChange: false, inReport: true },
  agents: { isChange: false, inReport: false },
  given: { isChange: true, inReport: false },
  compat: { isChange: false, inReport: true },
  audit: { isChange: false, inReport: true },
  needs: { isChange: false, inReport: true },
  evals: { isChange: false, inReport: true },
  runs: { isChange: false, inReport: false },
  run: { isChange: false, inReport: false },
  answer: { isChange: true, inReport: false },
  file: { isChange: false, inReport: false },
  check: { isChange: true, inReport: false },
  save: { isChange: true, inReport: false },
  move: { isChange: true, inReport: false },
  reading: { isChange: true, inReport: false },
}
