import { dirname, join } from 'node:path'
import { abortError, messageOf } from '@skills/core'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot } from '@skills/state/writer'

/** What npm is run with. */
export interface NpmSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** npm cannot be started at all. */
export class NpmMissingError extends Error {
  override readonly name = 'NpmMissingError'
}

/**
 * Runs npm and gives what it wrote to standard output. No configuration counts but what is given here: the folder is a
 * stranger's, and its `.npmrc`, or one above it, could name the places where npm writes and the programs that it
 * starts. What npm writes by itself is removed.
 * @param cwd what relative paths in `args` start from
 * @throws NpmMissingError; Error with what npm wrote when it fails; AbortError
 */
export async function npm(args: readonly string[], cwd: string, { env, signal }: NpmSurroundings): Promise<string> {
  if (signal.aborted) throw abortError(signal)
  // The npm of a script that this program was started by hands its own settings on, such as a workspace.
  const inherited = Object.entries(env).filter(([name]) => !/^npm_/i.test(name))
  const own = temporaryRoot('skills-npm-')
  try {
    return await runClosed(args, own.path, cwd, { env: Object.fromEntries(inherited), signal })
  } finally {
    removeTemporary(own)
  }
}

/**
 * @param own a folder that npm has to itself: there it finds no configuration, and no project that the folder belongs
 * to
 */
async function runClosed(
  args: readonly string[],
  own: string,
  cwd: string,
  { env, signal }: NpmSurroundings,
): Promise<string> {
  const [program, first] = npmProgram()
  // Others that stand in the same file start no process.
  const { spawn } = await import('node:child_process')
  const closed = [
    `--prefix=${own}`,
    `--cache=${join(own, 'cache')}`,
    `--userconfig=${join(own, 'user')}`,
    `--globalconfig=${join(own, 'global')}`,
    '--offline',
    '--logs-max=0',
    '--no-update-notifier',
    '--no-fund',
    '--no-audit',
  ]
  const child = spawn(program, [...first, ...args, ...closed], { cwd, signal, stdio: ['ignore', 'pipe', 'pipe'], env })
  const written = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (written.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (written.stderr += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', error => {
      if (signal.aborted) reject(abortError(signal))
      else
        reject(
          new NpmMissingError(
            `npm could not be started (${messageOf(error)}). It comes with Node: put the folder that holds it on the search path.`,
            { cause: error },
          ),
        )
    })
    child.on('close', resolve)
  })
  if (code === 0) return written.stdout
  const said = written.stderr
    .split('\n')
    .filter(line => /^npm (?:err|error)/i.test(line))
    .map(line => line.replace(/^npm (?:err!?|error)\s*/i, ''))
    .join(' ')
  throw new Error(`npm ${args[0] ?? ''} failed in ${cwd}: ${said === '' ? `exit code ${String(code)}` : said}`)
}

/** On Windows npm is a script that only a shell could start, and the program that it starts lies beside Node. */
function npmProgram(): readonly [string, readonly string[]] {
  if (process.platform !== 'win32') return ['npm', []]
  return [process.execPath, [join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')]]
}
