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

/** Rules for what a skill changes in the context of its agent. */
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
      const { toolPermissionContext: tools, options, other } = after
      const kept = [tools.mode, tools.alwaysAllowRules.session, options.debug, other]
      trial.expectSame('what contextModifier() knows nothing of', kept, ['plan', ['Glob'], true, { kept: [1] }])
      await trial.answer('contextModifier() of an empty context', async () => contextModifier({}))
    },
  },
  {
    name: 'tools',
    rule: 'allowed tools are added once to those that there are, and those that a skill does without are taken out',
    needs: ['context'],
    async check(trial) {
      const asked = { allowedTools: ['Read', 'Grep', 'Grep', 'Bash(git:*)'], disallowedTools: ['Write'] }
      const tools = (await trial.contextAfter(agent, asked)).toolPermissionContext
      const what =
        'of the tools Read and Write, with Read, Grep and Bash(git:*) allowed and Write taken out, what is left'
      trial.expectSame(what, tools.alwaysAllowRules.command, ['Read', 'Grep', 'Bash(git:*)'])
      trial.expectSame('what is disallowed besides Task', tools.disallowedTools, ['Task', 'Write'])
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
      const allowed = after.toolPermissionContext.alwaysAllowRules.command
      trial.expectSame('what is allowed after two skills', allowed, ['Read', 'Grep', 'Bash'])
      const chosen = [after.options.mainLoopModel, after.effortValue]
      trial.expectSame('the model and the effort after two skills', chosen, ['huge', 'high'])
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
