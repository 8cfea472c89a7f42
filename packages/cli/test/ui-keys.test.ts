import { readFileSync } from 'node:fs'
import { tempTree, type TempTree } from '@skills/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, keepPicture, notRun, openBrowser, startUi, type Ui } from './ui-program.js'
import { recordRuns, stateOfRun } from './ui-runs.js'
import type { Browser, Page } from 'playwright-core'

describe.skipIf(browserPath === undefined)(`the page of skills ui by the keys alone${notRun}`, () => {
  let tree: TempTree
  let ui: Ui
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    tree = tempTree({
      'home/.keep': '',
      'repo/.git/HEAD': '',
      'repo/.claude/skills/build/SKILL.md': '---\nname: build\ndescription: Builds it.\n---\nBuild.\n',
      'repo/.claude/skills/deploy/SKILL.md':
        '---\nname: deploy\ndescription: Ships it.\nrequires: [build, absent]\n---\nShip.\n',
    })
    await recordRuns(`${tree.path}/home`)
    ui = await startUi(`${tree.path}/repo`, `${tree.path}/home`)
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(ui.url)
    await page.getByRole('listbox', { name: 'Skills' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await ui?.close()
    tree?.dispose()
  })

  /** Returns the name and the outline of the focused element; the outline must be visible. */
  const focused = (): Promise<readonly [string, string]> =>
    page.evaluate<readonly [string, string]>(`(() => {
      let at = document.activeElement
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
      if (at === null || at === document.body) return ['', '']
      return [(at.getAttribute('aria-label') ?? at.textContent).trim(), getComputedStyle(at).outlineStyle]
    })()`)

  /**
   * Presses Tab until the element with this name has the focus. Every element on the way must have a visible outline.
   */
  const tabTo = async (wanted: string): Promise<void> => {
    for (let stops = 0; stops < 60; stops++) {
      await page.keyboard.press('Tab')
      const [name, outline] = await focused()
      if (name !== '' && !name.startsWith('The text of the file')) expect(outline, name).not.toBe('none')
      if (name === wanted) return
    }
    expect.unreachable(`Tab does not lead to ${wanted}`)
  }

  test('finds a skill, edits and saves it', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('ships')
    const counted = page.locator('.side output')
    await page.getByText('1 of 6 skills').waitFor()
    // An output is a live region, so a screen reader says how many are left.
    expect(await counted.evaluate(one => one.tagName)).toBe('OUTPUT')
    await tabTo('Skills')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { name: 'deploy' }).waitFor()
    await tabTo('Edit this file')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'The text of the file' }).waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('And tell.')
    await page.getByText('- deploy: Ships it.').waitFor()
    await page.keyboard.press('Tab')
    expect((await focused())[0]).toMatch(/^What it would/)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved.').waitFor()
    expect(readFileSync(`${tree.path}/repo/.claude/skills/deploy/SKILL.md`, 'utf8')).toContain('Ship.\nAnd tell.')
  })

  test('answers what a run asks, and reads what one did', async () => {
    await tabTo('Runs')
    await page.keyboard.press('Enter')
    const asking = page.getByRole('link', { name: /May it push/ })
    await asking.first().waitFor()
    for (let stops = 0; stops < 20 && !(await focused())[0].includes('May it push'); stops++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'May it push?' }).waitFor()
    await tabTo('Deny')
    await page.keyboard.press('Enter')
    await page.getByText('Answered: deny.').waitFor()
    expect(await stateOfRun(`${tree.path}/home`, 'waits-1')).toBe('queued')
    expect(await page.locator('.timeline li').allTextContents()).toEqual(
      expect.arrayContaining([
        expect.stringContaining('Bash npm run build'),
        expect.stringContaining('asks: May it push?'),
      ]),
    )
    await page.getByRole('link', { name: /done/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Its result' }).waitFor()
    expect(await page.locator('.body').innerText()).toContain('All of <b>it</b>.')
    await keepPicture(page, 'run-light-1280')
  })

  test('moves the window, pins a skill, and comes from the bar to one', async () => {
    await page.goto(`${ui.origin}/#/budget`)
    await page.getByRole('slider').waitFor()
    await page.getByRole('slider').focus()
    await page.keyboard.press('Home')
    await page.getByText('8,000 tokens').waitFor()
    await page.getByRole('button', { name: 'pin' }).first().focus()
    await page.keyboard.press('Enter')
    await page.locator('.tried pre').waitFor()
    await page.getByRole('group', { name: /The room of the listing/ }).focus()
    await page.keyboard.press('ArrowRight')
    const [name] = await focused()
    expect(name).toMatch(/: whole/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Where it comes from' }).waitFor()
  })

  test('reads what skills require as a list of links and words', async () => {
    await page.goto(`${ui.origin}/#/needs`)
    await page.getByRole('heading', { name: 'deploy' }).waitFor()
    const rows = await page.locator('.tree li').allInnerTexts()
    expect(rows[0]).toContain('build')
    expect(rows[1]).toMatch(/absent not there\./)
    expect(await page.locator('.tree li a').first().getAttribute('href')).toContain('#/skills/build')
  })
})
