import { createSkills, type Host } from '@skills/core'
import { distributionNamed, distributionNames } from '@skills/distributions/distribution-named'
import { enginePort, modelTools, searchTool, skillTool } from '@skills/invocation/skill-tool'
import { fakeHost, tempTree, type TempTree } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSkills } from './index.js'

const body = [
  'Read ${CLAUDE_SKILL_DIR}/notes.md and {baseDir}/notes.md, [notes](notes.md) and @notes.md.',
  '',
  'Here: !`pwd`. There: !`echo $HOME`.',
  '',
].join('\n')

/** Folders of skills in a project, of which every distribution reads at least one. */
const folders = ['.claude', '.agents', '.codex', '.gemini', '.opencode', '.pi', '.cocode']

function machine(): TempTree {
  const files = folders.flatMap(folder => {
    const skills = `repo/${folder}/skills`
    return [
      [`${skills}/one/SKILL.md`, `---\nname: one\ndescription: Does one thing.\n---\n${body}`],
      [`${skills}/one/notes.md`, 'Notes.'],
      [`${skills}/broken/SKILL.md`, '---\nname: broken\ndescription: [\n---\nx'],
    ]
  })
  const tree = tempTree({ 'home/.keep': '', 'repo/.git/HEAD': '', ...Object.fromEntries(files) })
  onTestFinished(() => tree.dispose())
  return tree
}

/** Returns every text that leaves a process in which a host uses this distribution. */
async function textsOf(name: string, { path }: TempTree, showsPaths: boolean | undefined): Promise<readonly string[]> {
  const host: Host = fakeHost({
    cwd: `${path}/repo`,
    home: `${path}/home`,
    uid: process.getuid?.(),
    env: { PATH: process.env['PATH'], HOME: `${path}/home` },
    showsPaths,
  })
  const options = { trust: { all: true }, rules: { allow: ['Skill', 'Bash'] }, managed: { dirs: [] } } as const
  const texts: string[] = []
  const tell = (...said: readonly unknown[]): void => void texts.push(...said.map(one => JSON.stringify(one) ?? ''))
  const failing = (error: unknown): unknown => (error instanceof Error ? [error.message] : error)

  const skills = await openSkills(name, { ...options, host, onDiagnostic: () => {} })
  onTestFinished(() => skills.close())
  for (const gives of ['results', 'messages'] as const) {
    const session = await skills.session({ gives, progress: event => tell(event) })
    tell(await session.system(), await session.reminder())
    for (const tool of session.tools()) {
      tell(await tool.describe())
      for (const skill of ['one', 'broken', 'none']) {
        const input = { skill, name: skill, query: skill }
        const { outcome: _, ...answer } = await tool.execute(input)
        tell(answer)
      }
    }
    const { outcomes: _, ...sent } = await session.send('/one a')
    tell(sent, await session.send('/broken').catch(failing))
    tell(await session.shorten('manual', async () => 'A summary.'))
    await session.end()
  }
  tell(
    await skills.invoke('one').then(({ newMessages }) => newMessages, failing),
    await skills.invoke('broken').catch(failing),
  )

  // Without the front door, a distribution that follows a program shows paths unless its host says otherwise.
  const own = { ...host, showsPaths: showsPaths ?? false }
  const distribution = (await distributionNamed(name))({ ...options, host: own, onDiagnostic: () => {} })
  const engine = createSkills(distribution)
  onTestFinished(() => engine.close())
  const port = enginePort(engine, distribution.port)
  const [tool, search] = [
    await skillTool(port, { ...distribution.tool, listingIn: 'description' }),
    await searchTool(port),
  ]
  const parameter = distribution.tool.nameParameter ?? 'skill'
  for (const skill of ['one', 'broken', 'none']) {
    tell(await tool.validateInput({ [parameter]: skill }))
    const ended = await tool.call({ [parameter]: skill }).then(
      outcome => ({ outcome }),
      (error: unknown) => ({ error }),
    )
    tell(tool.toToolResult(ended, 'call').content, 'outcome' in ended ? ended.outcome.newMessages : ended.error)
  }
  tell(await tool.describe(), search.toToolResult({ outcome: await search.call({ query: 'one' }) }, 'call'))
  for (const one of await modelTools(port, { tool: distribution.tool }))
    tell((await one.answer({ [parameter]: 'one', query: 'one' })).text, await one.describe())
  return texts
}

describe.each(distributionNames)('%s', name => {
  test('lets no path of this machine out, unless the host asks for it', async () => {
    const tree = machine()
    const texts = await textsOf(name, tree, undefined)
    expect(texts.filter(text => text.includes(tree.path))).toEqual([])
    // The body did arrive, so there was something to replace.
    expect(texts.filter(text => text.includes('notes.md')).length).toBeGreaterThan(4)
  })

  test('gives a text as its program does where the host shows paths', async () => {
    const tree = machine()
    const texts = await textsOf(name, tree, true)
    expect(texts.filter(text => text.includes(tree.path)).length).toBeGreaterThan(0)
    expect(texts.filter(text => text.includes('skill://'))).toEqual([])
  })
})
