import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { abortError, messageOf } from '@skills/core'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot } from '@skills/state/writer'

/** Environment in which npm runs, and the signal that ends it. */
export interface NpmSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** Error for an npm that cannot be started. */
export class NpmMissingError extends Error {
  override readonly name = 'NpmMissingError'
}

/**
 * Runs npm and returns its standard output. Ignores all npm configuration except the options below. The folder may be a
 * stranger's, and an `.npmrc` in it or above it could name places to write to and programs to start. Removes the files
 * that npm writes for itself.
 * @param cwd folder in which npm runs
 * @throws NpmMissingError if npm cannot be started; Error with npm's message if it fails; AbortError
 */
export async function npm(args: readonly string[], cwd: string, { env, signal }: NpmSurroundings): Promise<string> {
  if (signal.aborted) throw abortError(signal)
  // If an npm script started this program, that npm passes on settings of its own, such as a workspace.
  const inherited = Object.entries(env).filter(([name]) => !/^npm_/i.test(name))
  const own = temporaryRoot('skills-npm-')
  try {
    return await runClosed(args, own.path, cwd, { env: Object.fromEntries(inherited), signal })
  } finally {
    removeTemporary(own)
  }
}

/**
 * Runs npm without its configuration.
 * @param own empty temporary folder for npm: it contains no configuration and belongs to no project
 */
async function runClosed(
  args: readonly string[],
  own: string,
  cwd: string,
  { env, signal }: NpmSurroundings,
): Promise<string> {
  const [program, first] = npmProgram()
  // Imported on use, because other functions of this file start no process.
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
            `npm could not be started (${messageOf(error)}). npm comes with Node: add its folder to PATH.`,
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

/**
 * Returns the program that runs npm, and its first arguments. On Windows `npm` is a script that only a shell can start,
 * so Node runs npm's own JavaScript file, which is installed beside it.
 */
function npmProgram(): readonly [string, readonly string[]] {
  if (process.platform !== 'win32') return ['npm', []]
  const file = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')
  if (!existsSync(file))
    throw new NpmMissingError(`npm could not be started: ${file} is not there. Install Node with its npm.`)
  return [process.execPath, [file]]
}
