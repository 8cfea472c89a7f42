import { spawn, type SpawnOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Path of the built program, as it is published. */
export const program = fileURLToPath(new URL('../dist/skills.cjs', import.meta.url))
if (!existsSync(program)) throw new Error('packages/cli/dist is missing: run npm test, which builds first')

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Returns the environment of this process without variables that change how Node starts or what is printed, and without
 * the cache of the current user.
 */
export function cleanEnv(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const {
    NODE_OPTIONS: _options,
    NODE_EXTRA_CA_CERTS: _certificates,
    NO_COLOR: _plain,
    FORCE_COLOR: _colored,
    CLAUDE_CONFIG_DIR: _folder,
    ...env
  } = process.env
  return { ...env, NODE_DISABLE_COMPILE_CACHE: '1', ...more }
}

/** Runs a command until it ends. */
export async function runToEnd(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<Ended> {
  const child = spawn(command, args, { env: cleanEnv(), ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout?.on('data', (chunk: Buffer) => chunks.stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.stderr.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(chunks.stdout).toString(),
        stderr: Buffer.concat(chunks.stderr).toString(),
      }),
    )
  })
}

/** Runs the program with these arguments. */
export function skills(args: readonly string[], options?: SpawnOptions): Promise<Ended> {
  return runToEnd(process.execPath, [program, ...args], options)
}
