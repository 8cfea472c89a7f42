import { createSkills, type Skills } from '@skills/core'
import type { OnAsk } from '@skills/rules'
import { fakeHost, tempTree, type TempTree } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { distributionNamed, distributionNames } from '../../src/distribution-named.js'
import type { Distribution, DistributionOptions } from '../../src/index.js'

export { distributionNames }

/**
 * Distributions that put arguments nowhere, with the reason. Every other one puts the arguments of a person into the
 * text of the skill.
 */
export const withoutArguments: Readonly<Record<string, string>> = {
  'opencode-classic': 'Its description says that nothing refers to arguments, and its tool takes none.',
}

const [first, last] = ['First line of the body.', 'Last line of the body.']

/** Body of the skill `deploy-site`. */
export const body = `${first}\n\nDeploy $ARGUMENTS now.\n\n${last}\n`

/** Returns how often a text has the beginning, the end, and some arguments of the body. */
export function timesIn(text: string, args: string): readonly number[] {
  return [first, last, args].map(part => (part === '' ? 0 : text.split(part).length - 1))
}

export interface OpenedDistribution {
  readonly tree: TempTree
  readonly distribution: Distribution
  readonly skills: Skills
  /** Folder below the tree in which the distribution looks for skills of a project. */
  readonly folder: string
}

function made(name: string, tree: TempTree, options: Partial<DistributionOptions>) {
  return distributionNamed(name).then(make =>
    make({
      host: fakeHost({
        cwd: `${tree.path}/repo`,
        home: `${tree.path}/home`,
        uid: process.getuid?.(),
        env: { PATH: process.env['PATH'] },
      }),
      managed: { dirs: [] },
      bundled: false,
      trust: { all: true },
      onDiagnostic: () => {},
      ...options,
    }),
  )
}

/** Returns the first folder below the tree's `repo` that a distribution reads. Its places say which. */
async function folderOf(name: string, tree: TempTree): Promise<string> {
  const skills = createSkills(await made(name, tree, {}))
  try {
    const { places } = await skills.catalog()
    const paths = places.map(({ path }) => path.replace(/\/\*$/, '').slice(tree.path.length + 1))
    const [found] = paths.filter(path => path.startsWith('repo/') && path.endsWith('skills'))
    if (found === undefined) throw new Error(`${name} looks for skills in no folder of a project.`)
    return found
  } finally {
    await skills.close()
  }
}

const skillMd = (name: string, text: string, ...more: readonly string[]): string =>
  ['---', `name: ${name}`, `description: About ${name}.`, ...more, '---', text].join('\n')

/**
 * Opens a distribution over a project with the skill `deploy-site` in the folder that the distribution reads, in
 * which everything is trusted.
 */
export async function opened(name: string, options: Partial<DistributionOptions> = {}): Promise<OpenedDistribution> {
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '' })
  onTestFinished(() => tree.dispose())
  const folder = await folderOf(name, tree)
  tree.write({
    [`${folder}/deploy-site/SKILL.md`]: skillMd('deploy-site', body),
    [`${folder}/deploy-site/notes.txt`]: 'Notes.',
    [`${folder}/other/SKILL.md`]: skillMd('other', 'The text of other.'),
  })
  const distribution = await made(name, tree, options)
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  return { tree, distribution, skills, folder }
}

export const yes: OnAsk = () => 'allow'

/** Returns the input of a distribution's tool. */
export function inputFor(
  { inputSchema }: { readonly inputSchema: object },
  { tool: { nameParameter = 'skill' } }: Pick<Distribution, 'tool'>,
  { name, args }: { readonly name: string; readonly args: string },
) {
  const takesArgs = 'args' in Object((inputSchema as Record<string, unknown>)['properties'])
  return { takesArgs, input: { [nameParameter]: name, ...(takesArgs && { args }) } }
}
