import { entryOf, skillNamed } from '../entries.js'
import { KindTrial, type KindFixture } from '../kind-trial.js'
import { StubExpander } from './stub-expander.js'
import type { MaybePromise, PromptCommand } from '@skills/core'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { AgentContext, Executor, Invocation, Message, Outcome } from '@skills/invocation'

/** Makes an executor. Called once a case, and twice if a rule needs two executors. */
export type MakeExecutor = () => MaybePromise<KindFixture<Executor>>

/**
 * Abilities that an executor may lack: `messages`, if the text of a skill goes to another agent; `context`, if it
 * changes nothing about the agent that invoked the skill.
 */
export type ExecutorLack = 'messages' | 'context'

export type ExecutorRule = ContractRule<ExecutorTrial, ExecutorLack>

export interface StartedExecutor {
  readonly executor: Executor
  readonly expander: StubExpander
  /** Returns the outcome of an invocation. A failure breaks the rule. */
  execute(invocation: Invocation): Promise<Outcome>
}

/** One check of one rule about executors. */
export class ExecutorTrial extends KindTrial<Executor, MakeExecutor> {
  async executor(): Promise<StartedExecutor> {
    const expander = new StubExpander()
    const { value: executor } = await this.start(await this.made(async () => this.make()), [
      { kind: 'expander', id: 'contract-expander', value: expander },
    ])
    const { signal } = new AbortController()
    return {
      executor,
      expander,
      execute: invocation => this.answer('execute()', async () => executor.execute(invocation, { signal })),
    }
  }

  /** Returns the context after some invocations, or the same context if they change nothing. */
  async contextAfter<C extends AgentContext>(context: C, ...commands: readonly Partial<PromptCommand>[]): Promise<C> {
    const { execute } = await this.executor()
    let after = context
    for (const [at, parts] of commands.entries()) {
      const { contextModifier } = await execute(invocationOf({ name: `alpha-${at}`, ...parts }))
      if (contextModifier !== undefined)
        after = await this.answer('contextModifier()', async () => contextModifier(after))
    }
    return after
  }
}

/** Makes the invocation of a trusted skill by a model. Its text is `template`. Default: `Do it with @args@.` */
export function invocationOf(
  { template = 'Do it with @args@.', ...command }: Partial<PromptCommand> & { readonly template?: string } = {},
  parts: Partial<Invocation> = {},
): Invocation {
  const skill = skillNamed(command.name ?? 'alpha', { model: undefined, ...command })
  return {
    entry: entryOf(skill),
    command: skill,
    args: '',
    body: { template },
    caller: 'model',
    trust: 'trusted',
    depth: 0,
    authorize: async () => ({ behavior: 'deny', message: 'No one may.', decisionReason: { type: 'default' } }),
    forbids: async () => undefined,
    progress: () => {},
    skill: name => Promise.reject(new Error(`The contract has no skill named ${name}.`)),
    ended: () => {},
    ...parts,
  }
}

/** Returns the text of the messages that the model reads and that are not shown to a person. */
export function modelText({ newMessages }: Outcome): string {
  return newMessages
    .filter(({ type, isMeta }) => type === 'user' && isMeta === true)
    .map(textOf)
    .join('\n')
}

export function textOf({ content }: Message): string {
  return typeof content === 'string'
    ? content
    : content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
}
