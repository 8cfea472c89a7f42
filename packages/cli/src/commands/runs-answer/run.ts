import { SkillsError } from '@skills/core'
import { UsageError } from '../../arguments/usage-error.js'
import { printableLine } from '../../output/printable.js'
import { changeRun } from '../../runs/with-runs.js'
import type { Io } from '../../io.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills runs answer ID [QUESTION] ANSWER`. See docs/reference/runs.md, "At the command line". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const { args } = invocation
  const given = args.at(-1)
  if (given !== 'allow' && given !== 'deny')
    throw new UsageError(`The answer has to be allow or deny, but "${printableLine(given ?? '')}" was given.`)
  return changeRun(invocation, io, async (runs, id) => {
    const question = args.length === 3 ? args[1] : (await runs.get(id)).question?.id
    if (question !== undefined) return runs.answer(id, question, given)
    throw new SkillsError('E_RUN_STATE', `The run ${id} asks nothing.`, { hint: `See the run: skills runs show ${id}` })
  })
}
