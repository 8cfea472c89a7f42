import { createSkills, type Diagnostic, type PromptCommand, type Skills } from '@skills/core'
import { fakeHost, type TempTree } from '@skills/testing'
import { distributionNamed, type Distribution, type DistributionOptions } from '../src/index.js'

interface Over extends Omit<Partial<DistributionOptions>, 'host'> {
  /** Path below the tree. */
  readonly cwd: string
  readonly home: string
  /** Variables besides PATH; `<HOME>` is the path of the home folder. */
  readonly env?: Readonly<Record<string, string>>
}

/** Skill of a file: its name in the catalog, and the path of its file below the tree. */
interface OpenedSkill {
  readonly name: string
  readonly command: PromptCommand
  readonly path: string
}

interface Opened {
  readonly distribution: Distribution
  readonly skills: Skills
  readonly diagnostics: readonly Diagnostic[]
  found(): Promise<readonly OpenedSkill[]>
}

/** Opens a distribution over a tree, with trusted folders and without managed skills. The caller closes it. */
export async function openOver(
  tree: TempTree,
  name: string,
  { cwd, home, env = {}, ...options }: Over,
): Promise<Opened> {
  const diagnostics: Diagnostic[] = []
  const host = fakeHost({
    cwd: `${tree.path}/${cwd}`,
    home: `${tree.path}/${home}`,
    uid: process.getuid?.(),
    env: {
      PATH: process.env['PATH'],
      ...Object.fromEntries(
        Object.entries(env).map(([key, value]) => [key, value.replaceAll('<HOME>', `${tree.path}/${home}`)]),
      ),
    },
  })
  const distribution = (await distributionNamed(name))({
    host,
    managed: { dirs: [] },
    bundled: false,
    trust: { all: true },
    onDiagnostic: one => diagnostics.push(one),
    ...options,
  })
  const skills = createSkills(distribution)
  return {
    distribution,
    skills,
    diagnostics,
    async found() {
      const { entries } = await skills.catalog()
      return entries.flatMap(({ name: key, command }) =>
        command.type === 'prompt' && command.filePath !== undefined
          ? [{ name: key, command, path: command.filePath.slice(tree.path.length + 1) }]
          : [],
      )
    },
  }
}
