import { spawn, spawnSync } from 'node:child_process'
import { cleanEnv, program } from './built.js'

/** True if this machine can give a program a terminal: `script` of util-linux. */
export const hasTerminals =
  process.platform === 'linux' &&
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

/** Text to type once the screen shows another text. The next step looks only at what is shown after that. */
export interface Step {
  readonly after: string
  readonly type: string
  /** Runs before the text is typed, while the question is open. */
  readonly first?: () => void
}

export interface Shown {
  readonly code: number | null
  /** Everything written to the terminal, including control sequences. */
  readonly screen: string
}

export const keys = {
  enter: '\r',
  down: '\u001b[B',
  interrupt: '\u0003',
  escape: '\u001b',
  endOfInput: '\u0004',
} as const

/** Runs the program at a real terminal, with scripted input. */
export async function atTerminal(
  args: readonly string[],
  steps: readonly Step[],
  { cwd, columns = 100 }: { readonly cwd: string; readonly columns?: number },
): Promise<Shown> {
  const command = [process.execPath, program, ...args].map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; exec ${command}`, '/dev/null'], {
    cwd,
    env: cleanEnv({ TERM: 'xterm', CI: undefined }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const pending = [...steps]
  let screen = ''
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    for (let [step] = pending; step !== undefined; [step] = pending) {
      const at = screen.indexOf(step.after, seen)
      if (at === -1) return
      seen = at + step.after.length
      pending.shift()
      step.first?.()
      child.stdin.write(step.type)
    }
  })
  // A program that ended does not read what is typed.
  child.stdin.on('error', () => {})
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code, screen }))
  })
}
