import { Invoker } from '@skills/invocation'
import { trustHint } from '../../questions/asking.js'
import { mayUserInvoke, type Explanation } from '@skills/core'
import type { Engine } from '../../engine/engine-parts.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Most files of one name that are shown and get notes; `--json` has all files. */
export const shownAnswers = 20

/**
 * Returns for each skill what happens if a person types its name: it runs, the person is asked, or it is denied because
 * its folder is not trusted.
 */
export async function typingNotes(
  { skills, distribution }: Pick<Engine, 'skills' | 'distribution'>,
  { answers }: Explanation,
  invocation: Invocation,
  io: Io,
): Promise<Explanation['notes']> {
  const { signal } = io
  const catalog = await skills.catalog({ signal })
  const invoker = new Invoker(skills, distribution.invoker)
  const notes: Explanation['notes'][number][] = []
  for (const { name, command } of answers.slice(0, shownAnswers)) {
    const entry = catalog.get(name)
    if (entry === undefined || entry.command !== command || command.type !== 'prompt' || !mayUserInvoke(command))
      continue
    const { behavior, decisionReason } = await invoker.decideBeforeAsking(
      { tool: 'Skill', content: name, entry, args: '', caller: 'user' },
      signal,
    )
    if (behavior === 'deny' && decisionReason.type === 'trust') {
      notes.push({
        text: `If you type /${name}, the skill does not run and you are not asked: it is not trusted, and does more than give its text to the model. ${trustHint(entry, invocation, io)}`,
        provider: 'trust',
      })
    }
    if (behavior === 'allow' && decisionReason.type === 'typed')
      notes.push({ text: `If you type /${name}, the skill runs without asking you for permission.`, provider: 'trust' })
    if (behavior === 'ask')
      notes.push({ text: `If you type /${name} yourself, you are also asked for permission.`, provider: 'trust' })
  }
  return notes
}
