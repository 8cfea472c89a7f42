import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Bundles `child.ts` and everything it imports into one file, which any user can run from anywhere. */
export async function bundleChild(outfile: string): Promise<string> {
  const sourceOf = (name: string): string => fileURLToPath(new URL(`../../${name}/src/index.ts`, import.meta.url))
  await build({
    entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    alias: {
      '@skills/core': sourceOf('core'),
      '@skills/core/schema': sourceOf('core').replace(/index\.ts$/, 'schema.ts'),
      '@skills/state': sourceOf('state'),
    },
  })
  return outfile
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. */
export function runToEnd(
  command: string,
  args: readonly string[],
  options: { readonly uid?: number; readonly gid?: number; readonly cwd?: string } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const texts = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (texts.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (texts.stderr += text))
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...texts }))
  })
}
