import { Invoker } from '@skills/invocation'
import { trustHint } from './asking.js'
import type { Explanation } from '@skills/core'
import type { Engine } from './engine.js'
import type { Invocation } from './parse-arguments.js'
import type { Io } from './io.js'

/** Of what would not be carried out whatever anybody answers, for nobody trusts it: that it is so, and the command line that changes it. */
export async function distrustNotes({ skills, distribution }: Pick<Engine, 'skills' | 'distribution'>, { answers }: Explanation, invocation: Invocation, io: Io): Promise<Explanation['notes']> {
  const { signal } = io
  const { entries } = await skills.catalog({ signal })
  const invoker = new Invoker(skills, distribution.invoker)
  const notes: Explanation['notes'][number][] = []
  for (const { name, command } of answers) {
    const entry = entries.find(one => one.command === command && one.name === name)
    if (entry?.command.type !== 'prompt') continue
    const { behavior, decisionReason } = await invoker.decideBeforeAsking({ tool: 'Skill', content: name, entry, args: '', caller: 'user' }, signal)
    if (behavior === 'deny' && decisionReason.type === 'trust') {
      notes.push({ text: `No question is asked about "${name}" before it is trusted: it asks for more than to be read. ${trustHint(entry, invocation, io)}`, provider: 'trust' })
    }
  }
  return notes
}
