import { checkOptions, defineProvider, SkillsError, type Provider } from '@skills/core'
import { evaluateCommand, type CommandRules, type Ground } from './shell/evaluate-command.js'
import { ownShells } from './shell/shells.js'
import { searchPrograms } from './shell/exit-code.js'
import {
  embeddedCommandClaims,
  lexEmbeddedCommand,
  type EmbeddedCommandRules,
} from './template/embedded/lex-command.js'
import { sideBySide, type EvaluateOne } from './shell/side-by-side.js'

/** See docs/reference/expansion.md, "Embedded commands". */
export interface ShellExpanderOptions extends Partial<EmbeddedCommandRules>, Partial<CommandRules> {
  /** Whether the commands of a body run one after another or side by side. Default: `sequence`. */
  readonly order?: 'sequence' | 'parallel'
}

/**
 * Runs the commands that a skill embeds, as `` !`git status` ``, and puts what they write to standard output in their
 * place. Throws `E_INVALID_OPTION`; evaluating, `E_SHELL` for a command that failed or was not allowed where that is to
 * abort, and `AbortError`, then without anything of it running any more. See
 * docs/reference/expansion.md, "Embedded commands".
 */
export function shellExpander(options: ShellExpanderOptions = {}): Provider<'expander', 'shell'> {
  checkOptions<ShellExpanderOptions>('shellExpander()', options, {
    order: 1,
    fences: 1,
    inline: 1,
    escapes: 1,
    onError: 1,
    answers: 1,
    programs: 1,
    stderr: 1,
    timeoutMs: 1,
    maxOutputBytes: 1,
    graceMs: 1,
  })
  const {
    timeoutMs = 120_000,
    maxOutputBytes = 1_048_576,
    graceMs = 1_000,
    onError = 'inline',
    order = 'sequence',
    fences = 'spare',
    inline = 'start-or-space',
    escapes = true,
    answers = searchPrograms,
    programs = {},
    stderr = 'drop',
  } = options
  checkNumber('timeoutMs', timeoutMs)
  checkNumber('maxOutputBytes', maxOutputBytes)
  checkNumber('graceMs', graceMs)
  checkWord('onError', onError, ['abort', 'inline', 'skip'])
  checkWord('order', order, ['sequence', 'parallel'])
  checkWord('fences', fences, ['spare', 'look', 'look-all'])
  checkWord('stderr', stderr, ['drop', 'append'])
  checkWord('inline', inline, ['start-or-space', 'anywhere'])
  const lexRules: EmbeddedCommandRules = { fences, inline, escapes }
  return defineProvider({
    kind: 'expander',
    id: 'shell',
    wants: ['shell'],
    async setup({ effect, signal, use }) {
      const ground: Ground = {
        timeoutMs,
        maxOutputBytes,
        graceMs,
        onError,
        answers,
        programs,
        stderr,
        running: new Set(),
        shellOf: async (word, given) =>
          ownShells.get(word) ??
          (await use('shell').each(shell => ({ shell }), { only: [word], signal: given }))[0]?.value.shell,
      }
      // Everything that runs hears the signal; nothing of it is left when the engine has closed.
      await effect('embedded commands', () => async () => void (await Promise.all(ground.running)))
      const one: EvaluateOne = (token, context, abort) => evaluateCommand(token, context, ground, [abort, signal])
      return {
        claims: embeddedCommandClaims,
        lex: (text, at, context) => lexEmbeddedCommand(text, at, context, lexRules),
        evaluate: order === 'parallel' ? sideBySide(one) : (token, context) => one(token, context, context.signal),
      }
    },
  })
}

/** A timer cannot wait for longer than 2³¹ − 1 milliseconds: it would not wait at all. */
function checkNumber(name: string, value: number): void {
  if (value === Infinity || (Number.isInteger(value) && value > 0 && value < 2 ** 31)) return
  throw new SkillsError('E_INVALID_OPTION', `${name} of the shell expander is ${String(value)}.`, {
    hint: 'Give a whole number from 1 to 2,147,483,647, or Infinity.',
  })
}

function checkWord(name: string, value: string, words: readonly string[]): void {
  if (words.includes(value)) return
  throw new SkillsError('E_INVALID_OPTION', `${name} of the shell expander is "${value}".`, {
    hint: `Give one of ${words.join(', ')}.`,
  })
}
