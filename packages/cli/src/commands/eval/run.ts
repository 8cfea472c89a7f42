import { routing } from '@skills/evals'
import { wordOverlap } from '@skills/inspect'
import { OneMoment } from '@skills/inspect/compat'
import { casesOf } from './cases.js'
import { isLosing, printOverlap, printRouting, printRoutingOf } from './text.js'
import { exitCodes, type Io } from '../../io.js'
import { ProgressLine } from '../../output/progress.js'
import { tokensOf } from '../../arguments/tokens.js'
import { UsageError } from '../../arguments/usage-error.js'
import { withEngine } from '../../engine/engine.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills eval`. See docs/reference/evals.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  refuseTogether('--model', ['--overlap', '--for', '--context-window'], invocation)
  refuseTogether('--overlap', ['--for', '--context-window'], invocation)
  refuseTogether('--against', ['--level', '--baseline', '--save-baseline', '--threshold'], invocation)
  if (invocation.has('--overlap') && invocation.args.length > 0)
    throw new UsageError('The option --overlap compares all skills: leave out the NAME.')
  if (invocation.has('--model')) return (await import('./model.js')).evaluateWithModel(invocation, io)
  const needing = withModel.find(flag => invocation.has(flag))
  if (needing !== undefined) throw new UsageError(`The option ${needing} needs a model: --model anthropic/NAME.`)
  const contextWindow = tokensOf(invocation)
  const only = invocation.args.length === 0 ? undefined : invocation.args
  const { signal, stderr } = io
  const reads = new OneMoment()
  return withEngine(
    invocation,
    io,
    async ({ skills, agents: configured }) => {
      if (invocation.has('--overlap')) {
        const { pairs } = await wordOverlap(await skills.catalog({ signal }), { signal })
        if (invocation.json) writeJson({ pairs }, io.stdout)
        else printOverlap(pairs, invocation, io)
        return exitCodes.ok
      }
      const cases = await casesOf(skills, only, io)
      if (cases === undefined) return exitCodes.failed
      const { agents } = await (await import('../compat/agents.js')).agentsFor(configured, invocation)
      const line = new ProgressLine(stderr)
      const found = await routing({
        skills,
        agents,
        host: skills.host,
        ...(contextWindow !== undefined && { contextWindows: [contextWindow] }),
        only,
        cases,
        reads,
        signal,
        ...(stderr.isTerminal && { onProgress: agent => line.show(`Looking at the skills as ${agent} does …`) }),
      }).finally(() => line.erase())
      if (invocation.json) writeJson({ level: 'routing', routing: found }, io.stdout)
      else if (only === undefined) printRouting(found, invocation, io)
      else printRoutingOf(found, invocation, io)
      return only !== undefined && found.skills.some(isLosing) ? exitCodes.failed : exitCodes.ok
    },
    () => ({ sharedReads: reads }),
  )
}

type Flag = Parameters<InvocationOf<typeof command>['has']>[0]

/** Throws if an option is given together with one that would do nothing beside it. */
function refuseTogether(flag: Flag, others: readonly Flag[], { has }: InvocationOf<typeof command>): void {
  const idle = has(flag) ? others.find(other => has(other)) : undefined
  if (idle !== undefined) throw new UsageError(`The option ${idle} has no effect with ${flag}: leave one of them out.`)
}

/** Options that need a model. */
const withModel = [
  '--base-url',
  '--level',
  '--trials',
  '--concurrency',
  '--against',
  '--record',
  '--replay',
  '--recordings',
  '--allow',
  '--price',
  '--max-cost',
  '--baseline',
  '--save-baseline',
  '--threshold',
  '--junit',
  '--markdown',
] as const
