import * as s from '@skills/core/schema'
import { defineProvider, type Provider } from '@skills/core'
import { evaluateCommand, type Ground, type ShellPrograms } from './shell/evaluate-command.js'
import { ownShells } from './shell/shells.js'
import { searchPrograms } from './shell/exit-code.js'
import {
  embeddedCommandClaims,
  lexEmbeddedCommand,
  type EmbeddedCommandRules,
} from './template/embedded/lex-command.js'
import { sideBySide, type EvaluateOne } from './shell/side-by-side.js'

const shellExpanderOptions = s.options('shellExpander()', {
  /** Whether the commands of a body run one after another or side by side. */
  order: s.oneOf('sequence', 'parallel').default('sequence'),
  /**
   * Whether ordinary code fences are spared, or looked into for commands in a line; `look-all`: for fences of commands
   * too, whose mark may then have the name of a language behind it.
   */
  fences: s.oneOf('spare', 'look', 'look-all').default('spare'),
  /** Where a command may begin that stands in a line. */
  inline: s.oneOf('start-or-space', 'anywhere').default('start-or-space'),
  /**
   * Whether a backslash keeps `` !` `` from being a command, and is then dropped, and within one keeps a backtick from
   * being its end; without that it is a character like any other.
   */
  escapes: s.flag().default(true),
  /** What a failing command does in a skill that does not say so itself. */
  onError: s.oneOf('inline', 'abort', 'skip').default('inline'),
  /**
   * Programs whose exit code 1 says that they found nothing, or a difference. Default: grep, diff, test and their kin.
   */
  answers: s.list(s.text()).default(searchPrograms),
  /**
   * Programs to run, each a name or an absolute path, instead of `bash` and of `powershell`, elsewhere than on Windows
   * `pwsh`.
   */
  programs: s.typed<ShellPrograms>('an object').default({}),
  /**
   * What becomes of what a command that succeeds writes to standard error: it is left out, or stands below
   * what it writes to standard output.
   */
  stderr: s.oneOf('drop', 'append').default('drop'),
  /** `Infinity` for no limit. */
  timeoutMs: s.milliseconds({ orInfinity: true }).default(120_000),
  /** Of standard output and standard error together. */
  maxOutputBytes: s.count({ orInfinity: true }).default(1_048_576),
  /** Milliseconds from SIGTERM to SIGKILL, and from the end of the program to that of what it left behind. */
  graceMs: s.milliseconds({ orInfinity: true }).default(1_000),
})

/** See docs/reference/expansion.md, "Embedded commands". */
export interface ShellExpanderOptions extends s.OptionsOf<typeof shellExpanderOptions> {}

/**
 * Runs the commands that a skill embeds, as `` !`git status` ``, and puts what they write to standard output in their
 * place. Throws `E_INVALID_OPTION`; evaluating, `E_SHELL` for a command that failed or was not allowed where that is to
 * abort, and `AbortError`, then without anything of it running any more. See
 * docs/reference/expansion.md, "Embedded commands".
 */
export function shellExpander(given?: ShellExpanderOptions): Provider<'expander', 'shell'> {
  const { timeoutMs, maxOutputBytes, graceMs, onError, order, fences, inline, escapes, answers, programs, stderr } =
    shellExpanderOptions.read(given)
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
        shellOf: async (word, asking) =>
          ownShells.get(word) ??
          (await use('shell').each(shell => ({ shell }), { only: [word], signal: asking }))[0]?.value.shell,
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
