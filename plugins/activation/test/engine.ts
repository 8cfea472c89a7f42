import {
  createSkills,
  type Diagnostic,
  type EngineHooks,
  type KindDefinition,
  type Plugin,
  type Skills,
} from '@skills/core'
import { fileSource, rootsIn } from '@skills/files/source'
import { fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { activation, type ActivationOptions } from '../src/index.js'

export interface Started {
  readonly skills: Skills
  readonly tree: TempTree
  /** Absolute path of the working folder. */
  readonly cwd: string
  readonly told: Diagnostic[]
  /** Events `skills:changed`, without the catalog. */
  readonly changes: Omit<Parameters<EngineHooks['skills:changed']>[0], 'catalog'>[]
  /** Returns the number of loads. */
  readonly loads: () => number
  /** Reports touched files, relative to the working folder. */
  touch(...files: readonly string[]): void
  /** Returns the names that a model may be told of. */
  awake(): Promise<readonly string[]>
  names(): Promise<readonly string[]>
}

/**
 * Starts a real engine over a real tree. The skills of `.claude/skills` in the working folder `repo` are the project's.
 */
export function start(
  entries: TreeEntries,
  options: ActivationOptions & {
    readonly cwd?: string
    readonly plugins?: readonly Plugin[]
    readonly kinds?: readonly KindDefinition[]
    readonly tree?: TempTree
  } = {},
): Started {
  const { cwd: folder = 'repo', plugins = [], kinds = [], tree = tempTree(), ...rest } = options
  tree.write({ 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  const cwd = `${tree.path}/${folder}`
  const told: Diagnostic[] = []
  const changes: Started['changes'] = []
  let loads = 0
  const project = fileSource({
    id: 'project',
    source: 'project',
    roots: host => ({ roots: rootsIn(['.claude'], name => `${host.cwd}/${name}`, { qualifier: 'project' }) }),
  })
  const skills = createSkills({
    host: fakeHost({ cwd, home: `${tree.path}/home`, uid: process.getuid?.() }),
    plugins: [project, activation(rest), ...plugins],
    kinds,
    onDiagnostic: diagnostic => told.push(diagnostic),
  })
  onTestFinished(() => skills.close())
  skills.hook('skills:changed', ({ catalog: _catalog, ...change }) => changes.push(change))
  skills.hook('sources:loading', () => loads++)
  return {
    skills,
    tree,
    cwd,
    told,
    changes,
    loads: () => loads,
    touch: (...files) => skills.emit('file:touched', { paths: files.map(file => `${cwd}/${file}`) }),
    awake: async () =>
      (await skills.catalog()).entries.filter(({ dormant }) => dormant === undefined).map(({ name }) => name),
    names: async () => (await skills.catalog()).entries.map(({ name }) => name),
  }
}

/** Returns a skill file with paths. */
export function conditional(paths: string, body = 'Body.'): string {
  return `---\ndescription: Waits for a file.\npaths: ${paths}\n---\n${body}\n`
}
