import * as s from '@skills/core/schema'
import { abortError, defineProvider, type MaybePromise, type Provider } from '@skills/core'

const terminalRendererOptions = s.options('terminalRenderer()', {
  /** Takes text for the terminal. What it throws reaches the caller of the command. */
  write: s.fn<(text: string) => MaybePromise<unknown>>().required(),
  /** Cells of a line, at least 2; a function is asked anew for each view, since windows change. */
  width: s.either(s.number(), s.fn<() => number | undefined>()).default(80),
  /** Whether titles may be set off by control sequences. */
  colors: s.flag().default(false),
})

export interface TerminalRendererOptions extends s.OptionsOf<typeof terminalRendererOptions> {}

/**
 * Shows the views of `local-ui` commands on a terminal: no line is wider than it, and control, bidirectional and
 * invisible characters of names and descriptions are shown as `<U+001B>`. See
 * docs/reference/bundled.md, "The terminal renderer".
 * @throws SkillsError `E_INVALID_OPTION` when there is nothing to write to
 */
export function terminalRenderer(given: TerminalRendererOptions): Provider<'renderer'> {
  const { write, width, colors } = terminalRendererOptions.read(given)
  return defineProvider({
    kind: 'renderer',
    id: 'terminal',
    setup: () => ({
      async render(view, { signal }) {
        const { layOut } = await import('./builtin/lay-out.js')
        if (signal.aborted) throw abortError(signal)
        const cells = typeof width === 'function' ? width() : width
        // A stream that is no terminal has no width, and some report zero.
        await write(layOut(view, { width: cells !== undefined && cells >= 2 ? Math.floor(cells) : 80, colors }))
      },
    }),
  })
}
