import { createSkills, type Diagnostic, type Plugin, type Skills, type SkillsOptions } from '@skills/core'
import { fileSource, type SkillRoot } from '@skills/files/source'
import { fakeClock, fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { managedSource, type ManagedSourceOptions } from '../src/index.js'

/** Id of the user who runs the tests. It counts as the administrator, because that user owns the temporary trees. */
export const owner = process.getuid?.()

export function temporary(entries: TreeEntries): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

/** Makes a tree whose folder `managed` has this policy. */
export function withPolicy(skills: unknown, more: TreeEntries = {}): TempTree {
  return temporary({ 'managed/managed-settings.json': JSON.stringify({ skills }), ...more })
}

/** Makes a source over `<path>/<id>`, with skills as another source would have them. */
export function sourceOver(path: string, id: string, ...more: readonly Omit<SkillRoot, 'path'>[]): Plugin {
  const roots = [{ path: `${path}/${id}` }, ...more.map(rest => ({ path: `${path}/${rest.source ?? id}`, ...rest }))]
  return fileSource({ id, source: id, roots: () => ({ roots }) })
}

export interface Running {
  readonly skills: Skills
  readonly told: readonly Diagnostic[]
}

/**
 * Makes an engine of the managed source over `<path>/managed`, with other plugins, and a clock later than every file.
 */
export function managing(
  path: string,
  plugins: readonly Plugin[] = [],
  options: ManagedSourceOptions = {},
  rules: Partial<SkillsOptions> = {},
): Running {
  const told: Diagnostic[] = []
  const skills = createSkills({
    host: fakeHost({ clock: fakeClock(Date.now() + 60_000) }),
    plugins: [...plugins, managedSource({ dirs: [`${path}/managed`], owner, ...options })],
    onDiagnostic: diagnostic => told.push(diagnostic),
    ...rules,
  })
  onTestFinished(() => skills.close())
  return { skills, told }
}

/** Returns `name from source` of every command. */
export async function shown({ skills }: Running): Promise<readonly string[]> {
  return (await skills.catalog()).entries.map(({ name, command }) => `${name} from ${command.source}`)
}
