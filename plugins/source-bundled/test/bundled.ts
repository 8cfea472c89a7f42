import { chmodSync, readdirSync, statSync } from 'node:fs'
import { createSkills, type Diagnostic, type Host, type PromptBody, type PromptCommand } from '@skills/core'
import { fakeClock, fakeHost, tempTree, type FakeClock, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { bundledSource, type BundledSkill, type BundledSourceOptions } from '../src/index.js'

export const never: AbortSignal = new AbortController().signal
export const isRoot = process.getuid?.() === 0
export const isPosix = process.platform !== 'win32'

/** Makes a temporary tree that other users may enter. It is removed when the test ends. */
export function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  chmodSync(tree.path, 0o755)
  onTestFinished(() => tree.dispose())
  return tree
}

export interface Engine {
  readonly told: readonly Diagnostic[]
  names(): Promise<readonly string[]>
  command(name: string): Promise<PromptCommand>
  load(name: string, args?: string): Promise<PromptBody>
}

/** Makes an engine with only bundled skills, as the user who runs the tests. */
export function engineOf(
  skills: BundledSourceOptions['skills'],
  { cacheDir, ...host }: Partial<Host> & Pick<BundledSourceOptions, 'cacheDir'> = {},
): Engine {
  const told: Diagnostic[] = []
  const engine = createSkills({
    host: fakeHost({ uid: process.getuid?.(), platform: process.platform, ...host }),
    plugins: [bundledSource({ skills, cacheDir })],
    onDiagnostic: diagnostic => told.push(diagnostic),
  })
  onTestFinished(() => engine.close())
  const command = async (name: string): Promise<PromptCommand> => {
    const found = (await engine.catalog()).require(name).command
    if (found.type !== 'prompt') throw new TypeError(`"${name}" is no prompt.`)
    return found
  }
  return {
    told,
    command,
    names: async () => (await engine.catalog()).entries.map(({ name }) => name),
    load: async (name, args = '') => (await command(name)).load(args, { signal: never }),
  }
}

export interface Extracting {
  readonly tree: TempTree
  /** Folder for extracted folders. It does not exist at first. */
  readonly root: string
  readonly clock: FakeClock
  readonly told: Diagnostic[]
  /** Invokes a skill with these files in a new engine, and returns its folder. */
  extract(files: BundledSkill['files'], host?: Partial<Host>): Promise<string>
  /** Returns the names in the root. */
  names(): readonly string[]
}

/** Sets up skills with files and a separate cache folder. */
export function extracting(entries: TreeEntries = {}): Extracting {
  const tree = temporary(entries)
  const root = `${tree.path}/cache/bundled`
  const clock = fakeClock(Date.now())
  const told: Diagnostic[] = []
  return {
    tree,
    root,
    clock,
    told,
    async extract(files, host) {
      const engine = engineOf([{ name: 'carrier', body: 'Carry.', files }], { cacheDir: root, clock, ...host })
      const command = await engine.command('carrier')
      try {
        await command.load('', { signal: never })
      } finally {
        told.push(...engine.told)
      }
      return command.baseDir ?? ''
    },
    names: () => readdirSync(root).sort(),
  }
}

/** Returns the modes by path below a folder. The folder itself is ''. */
export function modesOf(folder: string): Readonly<Record<string, string>> {
  const below = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].sort()
  return Object.fromEntries(below.map(path => [path, (statSync(`${folder}/${path}`).mode & 0o777).toString(8)]))
}
