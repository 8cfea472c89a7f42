import { promptCommand, type PromptCommand } from '@skills/core'
import { fakeHost } from '@skills/testing'
import type { ExpandContext, Expander } from '../src/template/expander.js'
import type { NamedExpander } from '../src/template/expand.js'

export function commandWith(parts: Partial<PromptCommand> = {}): PromptCommand {
  return promptCommand({ name: 'deploy', source: 'user', load: () => ({ template: '' }), ...parts })
}

/** Makes the context of a trusted skill that may run nothing. */
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

/** Makes an expander that replaces one word, or the texts that `lex` finds, by a value. */
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

/** Makes an expander of `<…>`. Other expanders look for tokens inside the brackets. */
export function bracketExpander(id: string, evaluate: Expander['evaluate']): NamedExpander {
  return wordExpander(id, '<', evaluate, {
    lex(text, at) {
      const end = text.indexOf('>', at)
      return end < 0 ? undefined : { end: end + 1, inner: { start: at + 1, end } }
    },
  })
}
