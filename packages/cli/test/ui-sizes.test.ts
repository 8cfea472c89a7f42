import { mkdirSync, writeFileSync } from 'node:fs'
import { tempTree } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { browserPath, findingsIn, keepPicture, notRun, openBrowser, startUi } from './ui-program.js'

// Every view with few skills, some, and many. Many take a minute, so they run only if SKILLS_LARGE_PAGE gives their
// number, as in CI. The table of all agents is not tested then: its answer would have 170 MB.
const many = Number(process.env['SKILLS_LARGE_PAGE'] ?? 0)
const left = many === 0 ? ' (not run: SKILLS_LARGE_PAGE does not say how many)' : ''

const views: Readonly<Record<string, RegExp>> = {
  '#/': /How your skills are/,
  '#/skills/skill-0': /Where it comes from/,
  '#/budget': /What the model is told/,
  '#/audit': /What skills can do/,
  '#/needs': /What skills require|There is no skill that requires/,
  '#/evals': /No model was asked yet/,
  '#/runs': /There are no runs/,
  '#/sources': /Where skills come from/,
}
const agents = { '#/agents': /What each agent makes of them/ }

describe.skipIf(browserPath === undefined)(`the page of skills ui in Chromium${notRun}`, () => {
  test.each([1, 100])(
    'shows every view of %i skills',
    async count => {
      expect(await viewed(count, { ...views, ...agents })).toEqual([])
    },
    120_000,
  )

  test.skipIf(many === 0)(
    `shows its views of many skills${left}`,
    async () => {
      expect(await viewed(many, views)).toEqual([])
    },
    600_000,
  )
})

/** Opens every view until it shows the expected text. Returns what axe-core reports. */
async function viewed(count: number, shown: Readonly<Record<string, RegExp>>): Promise<readonly string[]> {
  const tree = tempTree({ home: { dir: true }, 'repo/.git': { dir: true }, 'repo/.claude/skills': { dir: true } })
  onTestFinished(() => tree.dispose())
  for (let at = 0; at < count; at++) {
    const folder = `${tree.path}/repo/.claude/skills/skill-${at}`
    mkdirSync(folder)
    const requires = at % 50 === 1 ? 'requires: skill-0\n' : ''
    const body = at % 7 === 0 ? 'Run !`git log -1`.' : 'Do it.'
    writeFileSync(
      `${folder}/SKILL.md`,
      `---\nname: skill-${at}\ndescription: Does what number ${at} is for. Use when asked for it.\n${requires}---\n${body}\n`,
    )
  }
  const ui = await startUi(`${tree.path}/repo`, `${tree.path}/home`)
  onTestFinished(() => ui.close())
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(200_000)
  await page.goto(ui.url)
  // The count includes the skills that the program brings along.
  await page.locator('.side output', { hasText: `${(count + 4).toLocaleString('en')} skills` }).waitFor()
  const found: string[] = []
  for (const [hash, text] of Object.entries(shown)) {
    await page.goto(`${ui.origin}/${hash}`)
    await page.locator('main').getByText(text).first().waitFor()
    for (const one of await findingsIn(page)) found.push(`${hash}: ${one}`)
    await keepPicture(page, `${hash.slice(2).replaceAll('/', '-') || 'home'}-${count}`)
  }
  return found
}
