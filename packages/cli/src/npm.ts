import { dirname, join } from 'node:path'
import { abortError, messageOf } from '@skills/core'
import type { Io } from './io.js'

/** npm cannot be started at all. */
export class NpmMissingError extends Error {
  override readonly name = 'NpmMissingError'
}

/**
 * Runs npm and gives what it wrote to standard output.
 * @throws NpmMissingError; Error with what npm wrote when it fails; AbortError
 */
export async function npm(args: readonly string[], cwd: string, { env, signal }: Pick<Io, 'env' | 'signal'>): Promise<string> {
  if (signal.aborted) throw abortError(signal)
  // The npm of a script that this program was started by hands its own settings on, such as a workspace.
  const inherited = Object.entries(env).filter(([name]) => !/^npm_(?!config_(?:cache|userconfig|globalconfig)$)/i.test(name))
  const [program, first] = npmProgram()
  // Every command shares a file with this one, and the others start no process.
  const { spawn } = await import('node:child_process')
  const child = spawn(program, [...first, ...args], {
    cwd, signal, stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), npm_config_update_notifier: 'false', npm_config_fund: 'false', npm_config_audit: 'false' },
  })
  const written = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (written.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (written.stderr += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', error => {
      if (signal.aborted) reject(abortError(signal))
      else reject(new NpmMissingError(`npm could not be started (${messageOf(error)}). It comes with Node: put the folder that holds it on the search path.`, { cause: error }))
    })
    child.on('close', resolve)
  })
  if (code === 0) return written.stdout
  const said = written.stderr.split('\n').filter(line => /^npm (?:err|error)/i.test(line)).map(line => line.replace(/^npm (?:err!?|error)\s*/i, '')).join(' ')
  throw new Error(`npm ${args[0] ?? ''} failed in ${cwd}: ${said === '' ? `exit code ${String(code)}` : said}`)
}

/** On Windows npm is a script that only a shell could start, and the program that it starts lies beside Node. */
function npmProgram(): readonly [string, readonly string[]] {
  if (process.platform !== 'win32') return ['npm', []]
  return [process.execPath, [join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')]]
}
