import { again } from '../../engine/again.js'
import { grouped } from '../../output/grouped.js'
import { printableLine } from '../../output/printable.js'
import type { UntoldSkills } from '@skills/host/internal'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'
import type { Style } from '../../output/style.js'

/** Returns lines that say how many skills the model is not told whole, and what to do. */
export function untoldLines(untold: UntoldSkills, invocation: Invocation, io: Io, style: Style): readonly string[] {
  if (untold.tellsNothing !== undefined) return [style.yellow(untold.tellsNothing)]
  const line = (words: string): string => printableLine(again(words, invocation, io))
  return [
    style.yellow(untoldSentence(untold)),
    `  Shorten descriptions. What each skill gets: ${line('listing --costs')}`,
    ...(isForRoom(untold) ? [`  With a larger window: ${line('listing --costs --context-window 1000000')}`] : []),
  ]
}

/** Returns how many skills the model is not told whole and why, as a sentence without its full stop. */
export function untoldSentence(untold: UntoldSkills): string {
  const { all, cut, nameOnly, leftOut, budgetChars = 0 } = untold
  const parts = [
    ...(cut > 0 ? [`${grouped(cut)} cut`] : []),
    ...(nameOnly > 0 ? [`${grouped(nameOnly)} by name only`] : []),
    ...(leftOut > 0 ? [`${grouped(leftOut)} left out`] : []),
  ]
  const count = cut + nameOnly + leftOut
  const why = isForRoom(untold)
    ? `, for lack of room in ${grouped(budgetChars)} characters`
    : ', because the listing shows no more of a description'
  return `${grouped(count)} of ${grouped(all)} ${all === 1 ? 'skill' : 'skills'} ${count === 1 ? 'is' : 'are'} not told to the model whole: ${parts.join(', ')}${why}`
}

function isForRoom({ cut, capped, nameOnly, leftOut, budgetChars }: UntoldSkills): boolean {
  return capped < cut + nameOnly + leftOut && budgetChars !== undefined
}
