/**
 * Words of a comparison for our own packages; not covered by versions. The page of `skills ui` bundles this file, so it
 * imports nothing of Node.
 * @internal
 */
import { isMisread } from './compat/summary.js'
import type { AgentCompat } from './compat/compat-types.js'

export { isMisread }

/** Words in cells, with their meaning. */
export const cellWords = {
  whole: 'found, and the model is told of it',
  cut: 'found, but its description is cut',
  name: 'found, but the model gets only its name',
  user: 'found, and only people can invoke it, as its author wants',
  later: 'found, and the model is told of it after a file that matches its paths is touched',
  untold: 'found, but the model is not told of it',
  unknown: 'found; only the folders of this agent are known, not what its model is told',
  moved: 'not found in its own folder; found after the folder is copied',
  shadowed: 'another skill has its name',
  lost: 'not found in any folder',
} as const

export type CellWord = keyof typeof cellWords

/** Returns the word for where the skill is and what the model is told of it. */
export function cellWordOf({ found, told }: Pick<AgentCompat, 'found' | 'told'>): CellWord {
  if (found === 'elsewhere') return 'moved'
  if (found === 'shadowed') return 'shadowed'
  if (found === 'not') return 'lost'
  return told === 'no' ? 'untold' : told
}

/** Returns the text of a cell: where the skill is, and what the model is told about it. */
export function cellOf(one: Pick<AgentCompat, 'found' | 'told' | 'fields'>): string {
  return `${cellWordOf(one)}${isMisread(one) ? '*' : ''}`
}
