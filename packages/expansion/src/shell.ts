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
  /** Run the commands of a body one after another, or all at once. */
  order: s.oneOf('sequence', 'parallel').default('sequence'),
  /**
   * Treatment of code fences. `spare`: left alone; `look`: searched for inline commands; `look-all`: fences of commands
   * too, which may then name a language after the mark.
   */
  fences: s.oneOf('spare', 'look', 'look-all').default('spare'),
  /** Place where an inline command may begin. */
  inline: s.oneOf('start-or-space', 'anywhere').default('start-or-space'),
  /**
   * True if a backslash before `` !` `` keeps it from being a command, and one inside keeps a backtick from ending it.
   * The backslash before the command is then removed. False: a backslash is an ordinary character.
   */
  escapes: s.flag().default(true),
  /** Result of a failing command in a skill that does not set `on-shell-error`. */
  onError: s.oneOf('inline', 'abort', 'skip').default('inline'),
  /**
   * Programs whose exit code 1 means that they found nothing or a difference, and is not a failure. Default: grep,
   * diff, test and similar ones.
   */
  answers: s.list(s.text()).default(searchPrograms),
  /**
   * Programs to run as shells, each a name or an absolute path. Default: `bash`, and for `powershell` `powershell` on
   * Windows and `pwsh` elsewhere.
   */
  programs: s.typed<ShellPrograms>('an object').default({}),
  /** Standard error of a command that succeeds. `drop`: left out; `append`: put below its standard output. */
  stderr: s.oneOf('drop', 'append').default('drop'),
  /** Time limit of a command in milliseconds; `Infinity` for none. */
  timeoutMs: s.milliseconds({ orInfinity: true }).default(120_000),
  /** Most bytes of standard output and standard error together. */
  maxOutputBytes: s.count({ orInfinity: true }).default(1_048_576),
  /**
   * Milliseconds from SIGTERM to SIGKILL, and from the end of the program to the end of processes that it left behind.
   */
  graceMs: s.milliseconds({ orInfinity: true }).default(1_000),
})

/** See docs/reference/expansion.md, "Embedded commands". */
export interface ShellExpanderOptions extends s.OptionsOf<typeof shellExpanderOptions> {}

/**
 * Runs the commands that a skill embeds, such as `` !`git status` ``, and replaces each command by its standard output.
 * See docs/reference/expansion.md, "Embedded commands".
 *
 * @throws SkillsError `E_INVALID_OPTION`; when evaluating, `E_SHELL` for a command that failed or was not allowed if
 * `onError` is `abort`; an `AbortError`, once all its processes have ended
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
      // Running commands hear the signal. When the engine has closed, all of them have ended.
      await effect('embedded commands', () => async () => void (await Promise.all(ground.running)))
      const one: EvaluateOne = (token, context, abort) => evaluateCommand(token, context, ground, [abort, signal])
      return {
        claims: embeddedCommandClaims,
        lex: (text, at, context) => lexEmbeddedCommand(text, at, context, lexRules),
        // The escape of a command has no inner part.
        runs: ({ inner }) => inner !== undefined,
        evaluate: order === 'parallel' ? sideBySide(one) : (token, context) => one(token, context, context.signal),
      }
    },
  })
}
