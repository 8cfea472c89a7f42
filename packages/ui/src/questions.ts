import { SkillsError } from '@skills/core'
import type { Question } from './api.js'

type Form = 'text' | 'count' | 'texts' | 'flag'

/**
 * What each question takes: what is not named here is refused, and a mark behind a form says that it may be missing.
 * `isChange`: it changes something, and so is never a GET, which a link could ask.
 */
const forms: Readonly<
  Record<Question, { readonly isChange?: true; readonly takes?: Readonly<Record<string, Form | `${Form}?`>> }>
> = {
  about: {},
  skills: {},
  skill: { takes: { name: 'text', path: 'text?' } },
  listing: { takes: { agent: 'text?', contextWindow: 'count?', pinned: 'texts?', off: 'texts?' } },
  compat: {},
  audit: {},
  needs: {},
  evals: {},
  runs: {},
  run: { takes: { id: 'text' } },
  answer: { isChange: true, takes: { id: 'text', question: 'text', answer: 'text' } },
  file: { takes: { path: 'text' } },
  // A text is longer than an address may be.
  check: { isChange: true, takes: { path: 'text', text: 'text' } },
  save: { isChange: true, takes: { path: 'text', text: 'text', version: 'text' } },
  reading: { isChange: true, takes: { text: 'text', isLonger: 'flag?' } },
}

const isForm: Readonly<Record<Form, (value: unknown) => boolean>> = {
  text: value => typeof value === 'string',
  count: value => typeof value === 'number' && Number.isSafeInteger(value) && value > 0,
  flag: value => typeof value === 'boolean',
  texts: value => Array.isArray(value) && value.every(one => typeof one === 'string'),
}

export const isQuestion = (name: string): name is Question => Object.hasOwn(forms, name)

/** Whether a question changes something or is long, so that it is a POST. */
export const isPosted = (name: Question): boolean => forms[name].isChange === true

/** What a page asks with, checked against what the question takes. Throws `E_INVALID_OPTION`. */
export function checkedAsked(name: Question, json: string): object {
  const refuse = (what: string): never => {
    throw new SkillsError('E_INVALID_OPTION', `The question "${name}" ${what}.`)
  }
  let asked: unknown
  try {
    asked = JSON.parse(json)
  } catch {
    refuse('is no JSON')
  }
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked)) return refuse('takes an object')
  const takes = forms[name].takes ?? {}
  for (const key of Object.keys(asked)) if (!Object.hasOwn(takes, key)) refuse(`takes no "${key}"`)
  for (const [key, form] of Object.entries(takes)) {
    const value: unknown = Object.entries(asked).find(([known]) => known === key)?.[1]
    if (value === undefined && form.endsWith('?')) continue
    const wanted = form.replace('?', '')
    if (wanted in isForm && !isForm[wanted as Form](value)) refuse(`takes another "${key}"`)
  }
  return asked
}
