import { isDeepStrictEqual } from 'node:util'
import { deepFrozen } from '../freeze.js'
import { invocationOf, type ExecutorRule } from './executor-trial.js'

const agent = deepFrozen({
  toolPermissionContext: {
    mode: 'plan',
    alwaysAllowRules: { command: ['Read', 'Write'], session: ['Glob'] },
    disallowedTools: ['Task'],
  },
  options: { mainLoopModel: 'small', debug: true },
  effortValue: 'low',
  other: { kept: [1] },
})

/** What a skill changes about the agent it works in. */
export const contextRules: readonly ExecutorRule[] = [
  {
    name: 'context-pure',
    rule: 'a context is never changed but replaced by another one, the same every time, with everything else in it kept',
    needs: ['context'],
    async check(trial) {
      const { execute } = await trial.executor()
      const { contextModifier } = await execute(
        invocationOf({ allowedTools: ['Grep'], disallowedTools: ['Write'], model: 'large', effort: 'high' }),
      )
      if (contextModifier === undefined)
        return trial.broken('a skill that allows a tool and names a model has no contextModifier.')
      const before = structuredClone(agent)
      const after = await trial.answer('contextModifier() of a frozen context', async () => contextModifier(agent))
      if (!isDeepStrictEqual(agent, before)) trial.broken('contextModifier() changed the context that it was given.')
      if (!isDeepStrictEqual(contextModifier(agent), after))
        trial.broken('contextModifier() gave another context when it was asked again.')
      const {
        toolPermissionContext: {
          mode,
          alwaysAllowRules: { session },
        },
        options: { debug },
        other,
      } = after
      if (
        !isDeepStrictEqual(
          { mode, session, debug, other },
          { mode: 'plan', session: ['Glob'], debug: true, other: { kept: [1] } },
        )
      )
        trial.broken('contextModifier() did not keep what it knows nothing of.')
      await trial.answer('contextModifier() of an empty context', async () => contextModifier({}))
    },
  },
  {
    name: 'tools',
    rule: 'allowed tools are added once to those that there are, and those that a skill does without are taken out',
    needs: ['context'],
    async check(trial) {
      const {
        toolPermissionContext: {
          alwaysAllowRules: { command },
          disallowedTools,
        },
      } = await trial.contextAfter(agent, {
        allowedTools: ['Read', 'Grep', 'Grep', 'Bash(git:*)'],
        disallowedTools: ['Write'],
      })
      if (!isDeepStrictEqual(command, ['Read', 'Grep', 'Bash(git:*)']))
        trial.broken(
          `of the tools Read and Write, with Read, Grep and Bash(git:*) allowed and Write taken out, there is ${JSON.stringify(command)}.`,
        )
      if (!isDeepStrictEqual(disallowedTools, ['Task', 'Write']))
        trial.broken(`besides Task, the disallowed Write makes ${JSON.stringify(disallowedTools)}.`)
    },
  },
  {
    name: 'composes',
    rule: 'several skills one after the other each add what they ask for, and of what they contradict each other in the last one counts',
    needs: ['context'],
    async check(trial) {
      const after = await trial.contextAfter(
        agent,
        { allowedTools: ['Grep'], model: 'large', effort: 'high' },
        {},
        { allowedTools: ['Bash', 'Grep'], disallowedTools: ['Write'], model: 'huge' },
      )
      const {
        toolPermissionContext: {
          alwaysAllowRules: { command },
        },
        options: { mainLoopModel },
        effortValue,
      } = after
      if (!isDeepStrictEqual(command, ['Read', 'Grep', 'Bash']))
        trial.broken(
          `after two skills the allowed tools are ${JSON.stringify(command)} instead of Read, Grep and Bash.`,
        )
      if (mainLoopModel !== 'huge' || effortValue !== 'high')
        trial.broken(
          `after two skills the model is "${mainLoopModel}" and the effort "${effortValue}" instead of "huge" and "high".`,
        )
    },
  },
  {
    name: 'model',
    rule: "a skill's model replaces that of the agent, which keeps its longer context; a skill without one changes nothing",
    needs: ['context'],
    async check(trial) {
      const after = async (mainLoopModel: string, model: string | undefined): Promise<string | undefined> =>
        (await trial.contextAfter({ options: { mainLoopModel } }, { model })).options.mainLoopModel
      for (const [before, model, expected] of [
        ['small', 'large', 'large'],
        ['small[1m]', 'large', 'large[1m]'],
        ['small[1m]', 'large[200k]', 'large[200k]'],
        ['small[1m]', undefined, 'small[1m]'],
      ] as const) {
        const found = await after(before, model)
        if (found !== expected)
          trial.broken(
            `an agent with the model "${before}" has "${String(found)}" instead of "${expected}" after a skill with ${model === undefined ? 'none' : `"${model}"`}.`,
          )
      }
      const same = await trial.contextAfter(agent, {})
      if (!isDeepStrictEqual(same, structuredClone(agent)))
        trial.broken('a skill that asks for nothing changed the context.')
    },
  },
  {
    name: 'untrusted',
    rule: 'a skill that is not trusted allows itself nothing: no tool of its reaches the context, the data or a message',
    async check(trial) {
      for (const trust of ['untrusted', 'remote'] as const) {
        const { execute } = await trial.executor()
        const { data, newMessages, contextModifier } = await execute(
          invocationOf({ allowedTools: ['Secret'] }, { trust }),
        )
        const after = contextModifier?.(agent) ?? agent
        const places = { data, messages: newMessages, context: after.toolPermissionContext }
        for (const [place, value] of Object.entries(places))
          if (JSON.stringify(value).includes('Secret'))
            trial.broken(`a tool that a skill with the trust "${trust}" allows itself is in its ${place}.`)
      }
    },
  },
]
