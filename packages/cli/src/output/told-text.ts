import { grouped } from './grouped.js'
import type { ToldSkill } from '@skills/invocation/internal'

/** Returns what the model is told of a skill, after "the model". */
export function toldText({ told, because = '' }: Pick<ToldSkill, 'told' | 'because'>): string {
  if (told === 'whole') return 'is told of it.'
  return `${told === 'cut' || told === 'name' ? 'is told of it in part' : 'is not told of it'}. ${because}`
}

/** Returns a few words: `whole`, `cut to 24 of 330`, `name only`, `left out`. */
export function toldWords({ told, cause, chars, of }: Pick<ToldSkill, 'told' | 'cause' | 'chars' | 'of'>): string {
  if (told === 'cut') return `cut to ${grouped(chars)} of ${grouped(of)}`
  if (told === 'no') return cause === 'budget' ? 'left out' : 'not told'
  return { whole: 'whole', name: 'name only', user: 'user only', later: 'later' }[told]
}
