import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import type { Question } from './api.js'

/** Options that each question takes; one that is not named here is refused. */
const forms: Readonly<Record<Question, s.Shape>> = {
  about: {},
  skills: {},
  skill: { name: s.text().required(), path: s.text() },
  listing: { agent: s.text(), contextWindow: s.count(), pinned: s.list(s.text()), off: s.list(s.text()) },
  health: {},
  agents: { name: s.text().required(), path: s.text() },
  given: { files: s.list(s.object({ path: s.text().required(), bytes: s.text() })).required() },
  compat: {},
  audit: {},
  needs: {},
  evals: {},
  runs: {},
  run: { id: s.text().required() },
  answer: { id: s.text().required(), question: s.text().required(), answer: s.text().required() },
  file: { path: s.text().required() },
  check: { path: s.text().required(), text: s.text().required() },
  save: { path: s.text().required(), text: s.text().required(), version: s.text().required() },
  move: { path: s.text().required(), isBack: s.flag() },
  reading: { text: s.text().required(), isLonger: s.flag() },
}

export const isQuestion = (name: string): name is Question => Object.hasOwn(forms, name)

/** Parses and checks the parameters of a question. Throws `E_INVALID_OPTION`. */
export function checkedAsked(name: Question, json: string): object {
  const what = `/api/${name}`
  let asked: unknown
  try {
    asked = JSON.parse(json)
  } catch (cause) {
    throw new SkillsError('E_INVALID_OPTION', `The request ${what} has a body that is not JSON.`, { cause })
  }
  return s.options(what, forms[name]).read(asked)
}
