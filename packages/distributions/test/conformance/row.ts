import { createSkills, type Catalog, type Clock, type Diagnostic, type Skills } from '@skills/core'
import { Invoker, type Outcome } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import {
  enginePort,
  skillTool,
  type EnginePort,
  type EnginePortOptions,
  type SkillTool,
} from '@skills/invocation/skill-tool'
import { fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { it, onTestFinished } from 'vitest'
import { distributions } from '../../../../scripts/conformance-rows.mjs'
import { distributionNamed } from '../../src/index.js'
import type { Distribution, DistributionOptions } from '../../src/index.js'

export interface Opened {
  readonly tree: TempTree
  readonly distribution: Distribution
  readonly skills: Skills
  readonly invoker: Invoker
  readonly port: EnginePort
  readonly told: readonly Diagnostic[]
  readonly letter: string
  catalog(): Promise<Catalog>
  /** Returns the catalog as `name from source`. */
  names(): Promise<readonly string[]>
  tool(): Promise<SkillTool>
  /** Returns the text that the model reads of a skill that a person invokes. */
  text(name: string, args?: string): Promise<string>
}

export interface OpenOptions extends Omit<Partial<DistributionOptions>, 'host'> {
  readonly cwd?: string
  /** Default: a clock that does not move. */
  readonly clock?: Clock
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly onAsk?: OnAsk
  readonly port?: EnginePortOptions
}

export type Open = (entries: TreeEntries, options?: OpenOptions) => Promise<Opened>

/**
 * Tests one line of the table for each distribution in `which`. The number and letter in the test's name identify the
 * line.
 */
export function row(
  number: number,
  which: string,
  sentence: string,
  test: (open: Open, letter: string) => Promise<void>,
): void {
  for (const letter of which)
    // oxlint-disable-next-line vitest/expect-expect -- `test` has them
    it(`${number} ${letter}: ${sentence}`, () => test((entries, options) => open(letter, entries, options), letter))
}

async function open(
  letter: string,
  entries: TreeEntries,
  { cwd = 'repo', clock, env = {}, onAsk = () => 'allow', port: portOptions, ...options }: OpenOptions = {},
): Promise<Opened> {
  const name = distributions[letter] ?? letter
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...entries })
  onTestFinished(() => tree.dispose())
  const told: Diagnostic[] = []
  const host = fakeHost({
    cwd: `${tree.path}/${cwd}`,
    home: `${tree.path}/home`,
    uid: process.getuid?.(),
    env: { PATH: process.env['PATH'], ...env },
    ...(clock && { clock }),
  })
  const distribution = (await distributionNamed(name))({
    host,
    managed: { dirs: [`${tree.path}/managed`], owner: process.getuid?.() },
    bundled: { skills: [] },
    trust: { all: true },
    onDiagnostic: diagnostic => told.push(diagnostic),
    ...options,
  })
  const skills = createSkills(distribution)
  onTestFinished(() => skills.close())
  const invoker = new Invoker(skills, { ...distribution.invoker, onAsk })
  const port = enginePort(skills, { ...distribution.port, ...portOptions, invoker })
  const catalog = () => skills.catalog()
  return {
    tree,
    distribution,
    skills,
    invoker,
    port,
    told,
    letter,
    catalog,
    names: async () =>
      (await catalog()).entries
        .filter(({ command }) => command.source !== 'builtin')
        .map(({ name: key, command }) => `${key} from ${command.source}`),
    tool: () => skillTool(port, distribution.tool),
    text: async (key, args = '') => modelText(await invoker.invoke({ name: key, args, caller: 'user' })),
  }
}

export function modelText({ newMessages }: Outcome): string {
  return newMessages
    .flatMap(({ type, content }) => {
      if (type !== 'user') return []
      if (typeof content === 'string') return content.includes('<command-message>') ? [] : [content]
      return content.map(block => (block.type === 'text' ? block.text : ''))
    })
    .join('')
}

/** Returns a skill file with a name and a description. */
export function skill(name: string, more = '', body = `Does ${name}.`): string {
  return `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n${body}`
}
