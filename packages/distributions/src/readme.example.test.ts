// #region usage
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { Invoker } from '@skills/invocation'
import { enginePort, searchTool, skillReminder, skillTool, ListingRecord } from '@skills/invocation/skill-tool'
import type { OnAsk } from '@skills/rules'

async function openAgent(cwd: string, home: string, ask: OnAsk) {
  const skills = createSkills(
    standard({
      host: { cwd, home },
      overrides: { 'old-deploy': 'off' },
      rules: { deny: ['Skill(release)'] },
      onDiagnostic: ({ message }) => process.emitWarning(message),
    }),
  )
  const invoker = new Invoker(skills, { onAsk: ask })
  const port = enginePort(skills, { invoker })
  const search = await searchTool(port)
  const record = new ListingRecord(skills)
  return {
    /** Tools for the model: one invokes skills, the other finds those that the listing has no room for. */
    tool: await skillTool(port),
    search,
    /** Runs what a person typed, such as `/deploy staging`. Undefined if it is not a command. */
    type: (line: string) => invoker.run(line),
    /** Returns the text that the model needs before its next turn. */
    async news(contextWindow: number) {
      const news = record.next(await port.listing({ contextWindow, searchTool: search.name }))
      return news && skillReminder(news)
    },
    close: () => skills.close(),
  }
}
// #endregion usage

import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

function project() {
  const tree = tempTree({
    'home/.config/skills/skills.config.json': '{ "overrides": { "release": "off" } }',
    'repo/.git/HEAD': '',
    'repo/.claude/skills/old-deploy/SKILL.md': 'Old.',
    'repo/.claude/skills/deploy/SKILL.md': '---\ndescription: Ships it.\n---\nShip to $0.',
    'repo/.claude/skills/release/SKILL.md': '---\ndescription: Releases.\n---\nRelease.',
  })
  onTestFinished(() => tree.dispose())
  return tree
}

it('tells of skills and runs them as the README shows', async () => {
  const { path } = project()
  const { tool, search, type, news, close } = await openAgent(`${path}/repo`, `${path}/home`, () => 'deny')
  onTestFinished(close)
  expect(String((await news(200_000))?.content)).toMatch(/- deploy: Ships it\.\n(?!- release)/)
  expect(await news(200_000)).toBeUndefined()
  expect(await type('Good morning')).toBeUndefined()
  expect(JSON.stringify(await type('/deploy staging'))).toContain('Ship to staging.')
  await expect(type('/release')).rejects.toMatchObject({ code: 'E_DENIED' })
  expect(await tool.validateInput({ skill: 'old-deploy' })).toMatchObject({ result: false, errorCode: 2 })
  // A denied skill is not found.
  expect((await search.call({ query: 'ships releases' })).data.results.map(({ name }) => name)).toEqual(['deploy'])
})
