import { spawn, type SpawnOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles `child.ts` with all its imports into one file, which any user can run from any place. */
export async function bundleChild(outfile: string): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'esm',
    logLevel: 'silent',
    tsconfig: fileURLToPath(new URL('../../../tsconfig.json', import.meta.url)),
  })
  return outfile
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly ended: Promise<Ended>
  /** Resolves when it has reported that it is ready. */
  readonly ready: Promise<void>
  /** Lets a waiting program continue. */
  goOn(): void
}

export function start(
  command: string,
  args: readonly string[],
  options: Readonly<Pick<SpawnOptions, 'uid' | 'gid' | 'cwd' | 'timeout' | 'killSignal'>> = {},
): Running {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (texts.stderr += text))
  // A killed program reads nothing any more.
  child.stdin.on('error', () => {})
  const ready = new Promise<void>(resolve => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      texts.stdout += text
      resolve()
    })
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({ code, signal, ...texts, stdout: texts.stdout.replace(/^ready\n/, '') }),
    )
  })
  return { ended, ready, goOn: () => void child.stdin.end('\n') }
}
