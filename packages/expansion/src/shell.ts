import * as s from '@skills/core/schema'
import { defineProvider, type Provider } from '@skills/core'
import { evaluateCommand, type Ground } from './shell/evaluate-command.js'
import { ownShells, type ShellPrograms } from './shell/shells.js'
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
   * Treatment of code. `spare`: left alone; `look`: fences are searched for inline commands; `by-line`: code is only
   * what follows an odd backtick in its line, a fence of commands begins and ends anywhere, and an inline command may
   * have several lines.
   */
  fences: s.oneOf('spare', 'look', 'by-line').default('spare'),
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
  /**
   * Standard error of a command that succeeds. `drop`: left out; `append`: put below its standard output; `merge`:
   * among its standard output, as it was written, where the shell can do so.
   */
  stderr: s.oneOf('drop', 'append', 'merge').default('drop'),
  /**
   * References between single quotes in a command for bash. `kept`: bash reads them as text; `replaced`: they get their
   * values too, unless the value would become code there, as in a script for awk.
   */
  single: s.oneOf('kept', 'replaced').default('kept'),
  /** White space that is removed from output. `newlines`: at its end; `blank`: all at its end, and blank lines before. */
  trims: s.oneOf('newlines', 'blank').default('newlines'),
  /** Most bytes of output that a text gets. Of longer output it gets the first 2,000 characters. */
  wholeBytes: s.count({ orInfinity: true }).default(Infinity),
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
  const { order, fences, inline, escapes, ...commandRules } = shellExpanderOptions.read(given)
  const lexRules: EmbeddedCommandRules = { fences, inline, escapes }
  return defineProvider({
    kind: 'expander',
    id: 'shell',
    wants: ['shell'],
    async setup({ effect, signal, use }) {
      const ground: Ground = {
        ...commandRules,
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
