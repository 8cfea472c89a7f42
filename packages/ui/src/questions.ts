import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import type { Question } from './api.js'

/**
 * What each question takes: what is not named here is refused. `isChange`: it changes something, and so is never a GET,
 * which a link could ask.
 */
const forms: Readonly<Record<Question, { readonly isChange?: true; readonly takes?: s.Shape }>> = {
  about: {},
  skills: {},
  skill: { takes: { name: s.text().required(), path: s.text() } },
  listing: { takes: { agent: s.text(), contextWindow: s.count(), pinned: s.list(s.text()), off: s.list(s.text()) } },
  compat: {},
  audit: {},
  needs: {},
  evals: {},
  runs: {},
  run: { takes: { id: s.text().required() } },
  answer: {
    isChange: true,
    takes: { id: s.text().required(), question: s.text().required(), answer: s.text().required() },
  },
  file: { takes: { path: s.text().required() } },
  // A text is longer than an address may be.
  check: { isChange: true, takes: { path: s.text().required(), text: s.text().required() } },
  save: {
    isChange: true,
    takes: { path: s.text().required(), text: s.text().required(), version: s.text().required() },
  },
  reading: { isChange: true, takes: { text: s.text().required(), isLonger: s.flag() } },
}

export const isQuestion = (name: string): name is Question => Object.hasOwn(forms, name)

/** Whether a question changes something or is long, so that it is a POST. */
export const isPosted = (name: Question): boolean => forms[name].isChange === true

/** What a page asks with, checked against what the question takes. Throws `E_INVALID_OPTION`. */
export function checkedAsked(name: Question, json: string): object {
  const what = `/api/${name}`
  let asked: unknown
  try {
    asked = JSON.parse(json)
  } catch (cause) {
    throw new SkillsError('E_INVALID_OPTION', `What was asked with ${what} is no JSON.`, { cause })
  }
  return s.options(what, forms[name].takes ?? {}).read(asked)
}
