import { promptCommand, type PromptCommand, type Provider, type SetupContext } from '@skills/core'
import { expand, type Expansion } from '../src/template/expand.js'
import type { ExpandContext } from '../src/template/expander.js'
import type { NamedExpander } from '../src/template/expand.js'
import { fakeHost } from '@skills/testing'
import { textExpander, type TextExpanderOptions } from '../src/text.js'

export interface Parts extends Partial<Omit<ExpandContext, 'command'>> {
  readonly command?: Partial<PromptCommand> & {
    readonly variables?: Readonly<Record<string, unknown>>
    resolveVariable?(name: string): string | undefined
  }
}

/** Sets an expander up as an engine does, but without an engine. */
export async function started(provider: Provider<'expander'>): Promise<NamedExpander> {
  const unused = (): never => {
    throw new Error('This expander has no use for it.')
  }
  const context: SetupContext = {
    signal: new AbortController().signal,
    host: fakeHost(),
    report: unused,
    hook: unused,
    effect: unused,
    use: unused,
    invalidate: unused,
  }
  return { id: provider.id, value: await provider.setup(context) }
}

/** Makes the context of a trusted skill that may run nothing. */
export function contextWith({ command, ...parts }: Parts = {}): ExpandContext {
  return {
    command: promptCommand({ name: 'deploy', source: 'user', load: () => ({ template: '' }), ...command }),
    args: '',
    trust: 'trusted',
    host: fakeHost(),
    signal: new AbortController().signal,
    authorize: async () => ({ behavior: 'deny', message: 'No one may.', decisionReason: { type: 'default' } }),
    forbids: async () => undefined,
    progress: () => {},
    ...parts,
  }
}

export async function expansionOf(
  body: string,
  expanders: readonly Provider<'expander'>[],
  parts: Parts = {},
): Promise<Expansion> {
  return expand(body, await Promise.all(expanders.map(started)), contextWith(parts))
}

/** Expands a body with arguments, under the rules of the standard distribution or others. */
export async function textOf(
  body: string,
  args = '',
  options: TextExpanderOptions = {},
  parts: Parts = {},
): Promise<string> {
  return (await expansionOf(body, [textExpander(options)], { args, ...parts })).text
}
