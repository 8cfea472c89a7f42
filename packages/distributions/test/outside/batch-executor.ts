import { defineProvider, SkillsError, type Provider } from '@skills/core'
import { expandWith } from '@skills/expansion'
import type { Executor } from '@skills/invocation'

declare module '@skills/core' {
  interface Contexts {
    batch: true
  }
  interface ErrorCodes {
    E_QUEUE_FULL: true
  }
}

/** Makes an executor that puts the text of a skill into the host's queue and reports what did not fit. */
export function batchExecutor(queue: string[], most = 2): Provider<'executor', 'expander'> {
  return defineProvider({
    kind: 'executor',
    id: 'batch',
    contract: 1,
    wants: ['expander'],
    setup: (ctx): Executor => ({
      async execute({ command, entry: { name }, body, args, trust, authorize, forbids, progress }, { signal }) {
        if (queue.length >= most)
          throw new SkillsError('E_QUEUE_FULL', `"${name}" found no place in the queue.`, { hint: 'Try again later.' })
        if ('blocks' in body)
          throw new SkillsError('E_INVALID_SKILL', `"${name}" has blocks, and the queue takes text.`)
        const { text } = await expandWith(ctx.use('expander'), body.template, {
          command,
          args,
          trust,
          authorize,
          forbids,
          progress,
          host: ctx.host,
          signal,
        })
        if (queue.length === most - 1)
          ctx.report({
            severity: 'info',
            type: 'source',
            code: 'queue-nearly-full',
            name,
            message: `The queue is full with "${name}".`,
          })
        return {
          data: { success: true, commandName: name, status: 'forked', agentId: `job-${queue.push(text)}` },
          newMessages: [],
        }
      },
    }),
  })
}
