import type { AgentCompat } from '@skills/inspect/internal'

export type AgentWord = 'whole' | 'cut' | 'name' | 'user' | 'later' | 'untold' | 'moved' | 'shadowed' | 'lost'

/** Meanings of the words in a cell, as `skills compat` has them. */
export const meanings: Readonly<Record<AgentWord, string>> = {
  whole: 'found, and the model is told of it',
  cut: 'found, but its description is cut',
  name: 'found, but the model gets only its name',
  user: 'found, and only people can invoke it, as its author wants',
  later: 'found, and the model is told of it after a file that matches its paths is touched',
  untold: 'found, but the model is not told of it',
  moved: 'not found in its own folder; found after the folder is copied',
  shadowed: 'another skill has its name',
  lost: 'not found in any folder',
}

export function wordOf({ found, told }: AgentCompat): AgentWord {
  if (found === 'elsewhere') return 'moved'
  if (found === 'shadowed') return 'shadowed'
  if (found === 'not') return 'lost'
  return told === 'no' ? 'untold' : told
}

/** True if the agent has the skill where it lies, so that a person or the model can use it. */
export const isSeen = ({ found }: AgentCompat): boolean => found === 'here'

export const isMisread = ({ fields }: AgentCompat): boolean =>
  fields.some(({ use, what }) => use === 'other' || (use === 'ignored' && what !== undefined))
