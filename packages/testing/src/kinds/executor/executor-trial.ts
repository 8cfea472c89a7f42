import { entryOf, skillNamed } from '../entries.js'
import { KindTrial, type KindFixture } from '../kind-trial.js'
import { StubExpander } from './stub-expander.js'
import type { MaybePromise, PromptCommand } from '@skills/core'
import type { ContractRule } from '../../contract/contract-rule.js'
import type { AgentContext, Executor, Invocation, Message, Outcome } from '@skills/invocation'

/** Makes an executor; called anew for every case, and twice where a rule is about two of them. */
export type MakeExecutor = () => MaybePromise<KindFixture<Executor>>

/**
 * What an executor may do without: `messages`, since what a skill says goes to another agent; `context`, since nothing
 * about the agent that invoked it changes.
 */
export type ExecutorLack = 'messages' | 'context'

export type ExecutorRule = ContractRule<ExecutorTrial, ExecutorLack>

export interface StartedExecutor {
  readonly executor: Executor
  readonly expander: StubExpander
  /** What comes of an invocation; that it fails breaks the rule. */
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

  /** What an invocation makes of a context; the context itself where it changes nothing. */
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

/** A trusted skill that a model invokes. What it says is its `template`, else `Do it with @args@.` */
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

/** What the model reads of the skill, and a person is not shown. */
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
