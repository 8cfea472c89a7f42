import type { Choice, Io, Output } from '../src/io.js'
import { run } from '../src/run.js'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Console {
  readonly cwd: string
  /** Default: a path without a folder. */
  readonly home?: string
  /** Default: none, so that no policy of this machine applies. */
  readonly managedDirs?: readonly string[]
  /** True if both outputs are a terminal. */
  readonly isTerminal?: boolean
  readonly columns?: number
  /** How the program was called. Default: skills. */
  readonly program?: string
  readonly env?: Io['env']
  readonly signal?: AbortSignal
  /** Answers every question at the terminal; undefined cancels. Default: there is no terminal. */
  readonly answer?: (title: string, choices: readonly Choice[]) => string | undefined
  /** Called with each text as it is written. */
  readonly onOutput?: (text: string) => void
}

/** Runs a command line in this process, and captures its outputs. */
export async function runIn(
  argv: readonly string[],
  {
    cwd,
    home = `${cwd}/no-home`,
    managedDirs = [],
    isTerminal = false,
    columns = 80,
    program = 'skills',
    env = {},
    signal = new AbortController().signal,
    answer,
    onOutput,
  }: Console,
): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const output = (name: keyof typeof written): Output => ({
    isTerminal,
    columns,
    write: text => {
      written[name] += text
      onOutput?.(text)
    },
  })
  const prompter =
    answer === undefined
      ? undefined
      : {
          choose: async (title: string, choices: readonly Choice[]) => answer(title, choices),
          chooseSome: async (title: string, choices: readonly Choice[]) => (await answer(title, choices))?.split('\n'),
        }
  const code = await run(argv, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    prompter,
    cwd,
    home,
    managedDirs,
    env,
    program,
    signal,
  })
  return { code, ...written }
}

/** Returns a text without colour codes, and without a line of progress, which only a busy machine shows. */
export function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- both are control sequences
  return text.replace(/\u001b\[[\d;]*m|(?:\r\u001b\[K[^\r\n]*)*\r\u001b\[K/g, '')
}
