import * as s from '@skills/core/schema'
import { abortError, defineProvider, type MaybePromise, type Provider } from '@skills/core'

const terminalRendererOptions = s.options('terminalRenderer()', {
  /** Writes text to the terminal. Its errors reach the caller of the command. */
  write: s.fn<(text: string) => MaybePromise<unknown>>().required(),
  /** Cells of a line, at least 2. A function is called for each view, because windows change their size. */
  width: s.either(s.number(), s.fn<() => number | undefined>()).default(80),
  /** Emphasise titles with control sequences. */
  colors: s.flag().default(false),
})

export interface TerminalRendererOptions extends s.OptionsOf<typeof terminalRendererOptions> {}

/**
 * Makes the renderer that shows views of `local-ui` commands on a terminal. No line is wider than the terminal.
 * Control, bidirectional and invisible characters in names and descriptions are shown as numbers, such as `<U+001B>`.
 * See docs/reference/bundled.md, "The terminal renderer".
 * @throws SkillsError `E_INVALID_OPTION` without `write`
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
        // A stream that is not a terminal has no width, and some report zero.
        await write(layOut(view, { width: cells !== undefined && cells >= 2 ? Math.floor(cells) : 80, colors }))
      },
    }),
  })
}
