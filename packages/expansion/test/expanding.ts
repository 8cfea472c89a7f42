import { promptCommand, type PromptCommand } from '@skills/core'
import { fakeHost } from '@skills/testing'
import type { ExpandContext, Expander } from '../src/template/expander.js'
import type { NamedExpander } from '../src/template/tokenize.js'

export function commandWith(parts: Partial<PromptCommand> = {}): PromptCommand {
  return promptCommand({ name: 'deploy', source: 'user', load: () => ({ template: '' }), ...parts })
}

/** An expansion of a trusted skill in which nothing may be run. */
export function contextWith(parts: Partial<ExpandContext> = {}): ExpandContext {
  return {
    command: commandWith(),
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

/** Recognises one word, or the texts that `lex` finds, and puts a value in its place. */
export function wordExpander(
  id: string,
  word: string,
  evaluate: Expander['evaluate'] | string,
  more: Partial<Expander> = {},
): NamedExpander {
  return {
    id,
    value: {
      claims: word.slice(0, 1),
      lex: (text, at) => (text.startsWith(word, at) ? { end: at + word.length, data: word } : undefined),
      evaluate: typeof evaluate === 'function' ? evaluate : () => evaluate,
      ...more,
    },
  }
}

/** Recognises `<…>` and has what is between looked through for tokens of others. */
export function bracketExpander(id: string, evaluate: Expander['evaluate']): NamedExpander {
  return wordExpander(id, '<', evaluate, {
    lex(text, at) {
      const end = text.indexOf('>', at)
      return end < 0 ? undefined : { end: end + 1, inner: { start: at + 1, end } }
    },
  })
}
