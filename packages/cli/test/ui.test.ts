import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { tempTree, type TempTree } from '@skills/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { skills } from './built.js'
import { browserPath, findingsIn, keepPicture, notRun, openBrowser, startUi, type Ui } from './ui-program.js'
import { evaluation } from './ui-evals.js'
import { recordRuns } from './ui-runs.js'
import type { Browser, BrowserContext, Page } from 'playwright-core'

const hostile = `---
name: hostile
description: '<img src=x onerror="window.ran = 1"> </script><script>window.ran = 2</script>'
---
# Title
<script>window.ran = 3</script>

<img src="http://192.0.2.1/x.png" onerror="window.ran = 4">

![picture](http://192.0.2.1/y.png) [link](javascript:window.ran=5) [web](https://docs.example/)

| a | b |
|---|---|
| 1 | 2 |
`

/** The library takes quadratic time for this text. */
const slow = '*a_'.repeat(30_000)

function project(): TempTree {
  return tempTree({
    'home/.claude/skills/deploy/SKILL.md':
      '---\nname: deploy\ndescription: Ship it to staging.\n---\nShip $ARGUMENTS.\n',
    'repo/.git/HEAD': '',
    'repo/.claude/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: Ship the project.\n---\n!`echo hi`\n',
    'repo/.claude/skills/notes/SKILL.md':
      '---\nname: notes\ndescription: Write notes: short ones\nrequires: [deploy, absent]\n---\nTake notes.\r\nIn two lines.\n',
    'repo/.claude/skills/hostile/SKILL.md': hostile,
    'repo/.claude/skills/entities/SKILL.md':
      '---\nname: entities\ndescription: Has one.\n---\nDo&nbsp;this. \u202Eback\u200B 👩\u200D💻 ⚠\uFE0F\n',
    'repo/.claude/skills/slow/SKILL.md': `---\nname: slow\ndescription: Is slow.\n---\n${slow}\n`,
    'repo/evals/recordings/last-report.json': JSON.stringify(evaluation),
    'repo/outside.md': '---\nname: outside\ndescription: Outside.\n---\nOutside.\n',
  })
}

let tree: TempTree
let ui: Ui
beforeAll(async () => {
  tree = project()
  await recordRuns(`${tree.path}/home`)
  ui = await startUi(`${tree.path}/repo`, `${tree.path}/home`)
})
afterAll(async () => {
  await ui.close()
  tree.dispose()
})

/** Returns the status of a request with any headers, including some that a browser would not send. */
function status(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body = '',
): Promise<readonly [number | undefined, string]> {
  const { hostname, port } = new URL(ui.origin)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve([response.statusCode, Buffer.concat(chunks).toString()]))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test('without the token, under another name and from another origin no one is let in', async () => {
  const { hash, host } = new URL(ui.url)
  const own = { host, authorization: `Bearer ${hash.slice('#token='.length)}` }
  const enter = async (headers: Readonly<Record<string, string>>) => (await status('/api/session', headers, 'POST'))[0]
  for (const path of ['/api/skills', '/api/events', '/api/none', '/index.html'])
    expect((await status(path))[0], path).toBe(401)
  // The token only starts a session.
  expect((await status('/api/skills', own))[0]).toBe(401)
  expect(await enter({ ...own, authorization: 'Bearer wrong' })).toBe(401)
  for (const name of ['rebound.example', host.replace('127.0.0.1', 'localhost'), '127.0.0.1'])
    expect(await enter({ ...own, host: name }), name).toBe(403)
  expect(await enter({ ...own, origin: 'http://other.example' })).toBe(403)
  for (const site of ['cross-site', 'same-site'])
    expect(await enter({ ...own, 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' }), site).toBe(403)
})

test('what is no address of a page is refused before anything reads it', async () => {
  for (const path of ['//', '//x', '/%00', '/\\', 'http://x/', '*', '/../', '/assets/../index.html'])
    expect([400, 401], path).toContain((await status(path))[0])
  expect((await status('/', {}, 'TRACE'))[0]).toBe(405)
  expect(ui.said()).not.toContain('Invalid')
})

describe.skipIf(browserPath === undefined)(`the page of skills ui in Chromium${notRun}`, () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const asked: string[] = []
  const violations: string[] = []
  beforeAll(async () => {
    browser = await openBrowser()
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    page = await context.newPage()
    page.on('request', sent => asked.push(sent.url()))
    page.on('console', message => {
      if (message.type() === 'error') violations.push(message.text())
    })
    page.on('pageerror', error => violations.push(error.message))
    await page.goto(ui.url)
    await page.getByRole('listbox', { name: 'Skills' }).waitFor()
  })
  afterAll(() => browser.close())

  const show = async (hash: string, heading: string): Promise<void> => {
    await page.goto(`${ui.origin}/${hash}`)
    await page.getByRole('heading', { name: heading }).first().waitFor()
  }

  test('opens once: the address does not let in another browser, and nothing is kept that is sent along', async () => {
    expect(page.url()).toBe(`${ui.origin}/`)
    const other = await browser.newContext()
    onTestFinished(() => other.close())
    const second = await other.newPage()
    await second.goto(ui.url)
    await second.getByText('works only once').waitFor()
    expect(second.url()).toBe(`${ui.origin}/`)
    expect(await context.cookies()).toEqual([])
    expect(asked.filter(url => url.includes('token'))).toEqual([])
  })

  test('a tab stays let in when it is loaded again, and lets in another one that a person opens', async () => {
    await page.reload()
    await page.getByRole('listbox', { name: 'Skills' }).waitFor()
    const second = await context.newPage()
    onTestFinished(() => second.close())
    await second.goto(`${ui.origin}/#/skills/deploy`)
    await second.getByRole('heading', { name: 'deploy' }).waitFor()
    expect(second.url()).toBe(`${ui.origin}/#/skills/deploy`)
  })

  test('what another page leads to shows nothing until a person asks for it', async () => {
    const elsewhere = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(`<a href="${ui.origin}/#/runs/waits-1">Look</a>`)
    })
    elsewhere.listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const led = await context.newPage()
    onTestFinished(async () => {
      await led.close()
      elsewhere.close()
    })
    const address = elsewhere.address()
    await led.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
    await led.getByRole('link').click()
    await led.getByText('Another page led here').waitFor()
    expect(await led.getByRole('button').count()).toBe(0)
    await led.getByRole('link').click()
    await led.getByRole('listbox', { name: 'Skills' }).waitFor()
  })

  test('filters as one types, and keys move the choice', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('staging')
    await page.getByText('1 of 10 skills').waitFor()
    await page.getByRole('listbox').focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { name: 'deploy' }).waitFor()
    const layers = page.locator('.layers > li')
    expect(await layers.count()).toBe(2)
    expect(await layers.nth(0).textContent()).toContain('user')
    await page.getByRole('searchbox').fill('')
    await keepPicture(page, 'skill-light-1280')
  })

  test('shows problems with their repair as a difference', async () => {
    await show('#/skills/notes', 'notes')
    await page.getByRole('heading', { name: 'What is wrong' }).waitFor()
    expect(await page.locator('.difference ins').textContent()).toContain("'Write notes: short ones'")
    expect(await page.locator('.difference del').textContent()).toContain('Write notes: short ones')
  })

  test('text of a skill is text: no tag, script or picture of it becomes one', async () => {
    await show('#/skills/hostile', 'hostile')
    await page.locator('.body td').first().waitFor()
    expect(await page.locator('.body').innerText()).toContain('<script>window.ran = 3</script>')
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.locator('.body a[href]').evaluateAll(all => all.map(a => a.getAttribute('href')))).toEqual([
      'https://docs.example/',
    ])
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
  })

  test('shows a body with an entity, and what is not seen by its number', async () => {
    await show('#/skills/entities', 'entities')
    const body = page.locator('.body')
    await body.getByText('Do\u00A0this').waitFor()
    expect(await body.locator('.unseen').evaluateAll(all => all.map(one => one.getAttribute('data-code')))).toEqual([
      'U+202E',
      'U+200B',
    ])
    await page.getByRole('button', { name: 'As it stands in the file' }).click()
    await body.getByText('Do&nbsp;this').waitFor()
  })

  test('a body that takes too long is shown as it is, with a sentence', async () => {
    await show('#/skills/slow', 'slow')
    await page.getByText('shown as it stands in the file, and not as Markdown').waitFor()
    await page.getByRole('button', { name: 'Try for longer' }).waitFor()
    expect((await page.locator('.body').innerText()).startsWith(slow.slice(0, 100))).toBe(true)
  })

  test('follows the disk by itself', async () => {
    await show('#/skills/notes', 'notes')
    tree.write({ 'repo/.claude/skills/fresh/SKILL.md': '---\nname: fresh\ndescription: New here.\n---\nNew.\n' })
    const fresh = page.getByRole('option', { name: /fresh/ })
    await fresh.waitFor()
    expect(await fresh.textContent()).toContain('New here.')
  })

  test('tries a window, a pin and a skill that is switched off', async () => {
    await show('#/budget', 'What the model is told')
    const off = page.locator('.entry', { hasText: 'notes' }).getByRole('button', { name: 'switch off' })
    await off.click()
    await page.locator('.entry.told-off', { hasText: 'notes' }).waitFor()
    expect(await page.locator('.tried pre').textContent()).toContain('"notes": "off"')
    await page.getByRole('slider').fill('0')
    await page.getByText('8,000 tokens').waitFor()
    await keepPicture(page, 'budget-light-1280')
  })

  test('saves exactly what was typed, and refuses when the file changed meanwhile', async () => {
    const path = `${tree.path}/repo/.claude/skills/notes/SKILL.md`
    const before = readFileSync(path, 'utf8')
    await show('#/skills/notes', 'notes')
    await page.getByRole('link', { name: 'Edit this file' }).click()
    const editor = page.getByRole('textbox', { name: 'The text of the file' })
    await editor.waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('One more.')
    await page.getByRole('region', { name: 'What it would be' }).getByText('One more.').waitFor()
    await keepPicture(page, 'edit-light-1280')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved.').waitFor()
    expect(readFileSync(path, 'utf8')).toBe(`${before}One more.`)
    writeFileSync(path, before)
    await page.keyboard.type('Lost?')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('was changed by another program').waitFor()
    expect(readFileSync(path, 'utf8')).toBe(before)
    // The page shows both texts, and keeps the one that was not saved.
    const meanwhile = page.getByRole('region', { name: 'What was saved meanwhile' })
    await meanwhile.getByText('One more.Lost?').waitFor()
    await meanwhile.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    expect(readFileSync(path, 'utf8')).toBe(`${before}One more.Lost?`)
    writeFileSync(path, before)
  })

  test('a draft stays in another view and after loading again, is asked about before it is lost, and can be discarded', async () => {
    const path = `${tree.path}/repo/.claude/skills/deploy/SKILL.md`
    const before = readFileSync(path, 'utf8')
    await show(`#/edit/deploy?path=${encodeURIComponent(path)}`, 'How it reads')
    const editor = page.getByRole('textbox', { name: 'The text of the file' })
    await editor.waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('A draft.')
    await page.getByText('Kept as a draft').waitFor()
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('heading', { name: 'What skills can do' }).waitFor()
    await page.locator('.drafts').getByRole('link', { name: 'deploy' }).click()
    await page.getByText('This is your draft').waitFor()
    expect(await editor.innerText()).toContain('A draft.')
    const question = page.waitForEvent('dialog')
    const loaded = page.reload()
    const dialog = await question
    expect(dialog.type()).toBe('beforeunload')
    await dialog.accept()
    await loaded
    await page.getByText('This is your draft').waitFor()
    expect(await editor.innerText()).toContain('A draft.')
    // What the tab stores has the text, and not the secret of the page.
    const stored = await page.evaluate<string>("sessionStorage.getItem('skills-ui-drafts')")
    expect(stored).not.toContain(await page.evaluate<string>("JSON.parse(sessionStorage.getItem('skills-ui')).secret"))
    // Another program saves meanwhile: the draft is not put over it without a word.
    await page.getByRole('link', { name: 'Back' }).click()
    writeFileSync(path, `${before}Theirs.`)
    await page.locator('.drafts').getByRole('link', { name: 'deploy' }).click()
    await page.getByRole('region', { name: 'What was saved meanwhile' }).getByText('A draft.').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Discarded.').waitFor()
    expect(await editor.innerText()).toContain('Theirs.')
    expect(await page.locator('.drafts').count()).toBe(0)
    expect(await page.evaluate("sessionStorage.getItem('skills-ui-drafts')")).toBeNull()
    expect(readFileSync(path, 'utf8')).toBe(`${before}Theirs.`)
    writeFileSync(path, before)
  })

  test('the first view has numbers that filter, and "back" takes the filter away', async () => {
    await show('#/', 'How your skills are')
    await page.getByRole('link', { name: /with problems/ }).click()
    const count = page.locator('.side output')
    await count.getByText(/^\d of \d+ skills$/).waitFor()
    expect(page.url()).toContain('#/skills?state=problems')
    await page.getByRole('searchbox').fill('no such words')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await count.getByText(/^\d+ skills$/).waitFor()
    await page.goBack()
    await page.getByText('No skill matches').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('no such words')
    await page.goBack()
    await count.getByText(/^\d+ skills$/).waitFor()
  })

  test('a repair is applied and undone, and the file is as it was', async () => {
    const path = `${tree.path}/repo/.claude/skills/notes/SKILL.md`
    const before = readFileSync(path, 'utf8')
    await show('#/', 'How your skills are')
    await page.getByRole('button', { name: 'Apply: notes' }).click()
    const undo = page.getByRole('button', { name: 'Undo: notes' })
    await undo.waitFor()
    expect(readFileSync(path, 'utf8')).toBe(before.replace('Write notes: short ones', "'Write notes: short ones'"))
    // What another program wrote meanwhile is not undone.
    const repaired = readFileSync(path, 'utf8')
    writeFileSync(path, `${repaired}More.`)
    await undo.click()
    await page.getByText('was changed by another program').waitFor()
    expect(readFileSync(path, 'utf8')).toBe(`${repaired}More.`)
    writeFileSync(path, repaired)
    await undo.click()
    await undo.waitFor({ state: 'detached' })
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  test('a file that is nearly a skill becomes one, and becomes the file again', async () => {
    const path = `${tree.path}/repo/.claude/skills/flat.md`
    const text = '---\ndescription: Ships it flat.\n---\nDo it.\n'
    writeFileSync(path, text)
    await show('#/', 'How your skills are')
    await page.getByRole('button', { name: `Apply: ${path}` }).click()
    const undo = page.getByRole('button', { name: `Undo: ${path}` })
    await undo.waitFor()
    expect(readFileSync(path.replace('.md', '/SKILL.md'), 'utf8')).toBe(text)
    await undo.click()
    await undo.waitFor({ state: 'detached' })
    expect(readFileSync(path, 'utf8')).toBe(text)
    const apply = page.getByRole('button', { name: `Apply: ${path}` })
    await apply.waitFor()
    rmSync(path)
    await apply.waitFor({ state: 'detached' })
  })

  test('a folder that is dropped is explained as one that is chosen', async () => {
    tree.write({ 'given/dropped/SKILL.md': '---\ndescription: Ship: it.\n---\nDo it.\n' })
    await show('#/', 'How your skills are')
    // The browser's own drag, as an operating system reports it.
    const session = await page.context().newCDPSession(page)
    const data = { items: [], files: [`${tree.path}/given/dropped`], dragOperationsMask: 1 }
    const drag = async (...types: readonly ('dragEnter' | 'dragOver' | 'drop')[]): Promise<void> => {
      for (const type of types) await session.send('Input.dispatchDragEvent', { type, x: 5, y: 5, data })
    }
    // Far from the box: the browser would show a folder that nothing takes in place of the page.
    await drag('dragEnter', 'dragOver')
    await page.locator('.drop.over').waitFor()
    await drag('drop')
    const answer = page.getByRole('region', { name: 'The answer' })
    await answer.getByText('does not lie where this agent looks').waitFor()
    expect(await answer.getByRole('heading').first().innerText()).toContain('dropped')
    expect(await page.locator('.drop.over').count()).toBe(0)
    await show('#/budget', 'What the model is told')
    // A page that was shown again has no mark.
    await page.locator('body').evaluate(body => body.setAttribute('data-mark', ''))
    await drag('dragEnter', 'dragOver', 'drop')
    await show('#/', 'How your skills are')
    expect(await page.locator('body[data-mark]').count()).toBe(1)
  })

  test('a folder that is given is explained, and nothing of it is written', async () => {
    tree.write({ 'given/fresh-one/SKILL.md': '---\ndescription: Ship: it.\n---\nDo it.\n' })
    await show('#/', 'How your skills are')
    await page.locator('input.file').setInputFiles(`${tree.path}/given/fresh-one`)
    const answer = page.getByRole('region', { name: 'The answer' })
    await answer.getByText('does not lie where this agent looks').waitFor()
    expect(await answer.innerText()).toContain('/repo/.claude/skills')
    expect(await answer.innerText()).toContain('warning')
  })

  test('each agent is shown for a skill, and an answer stays until something changes', async () => {
    await show('#/skills/notes', 'Which agents see it')
    await page.locator('.agents-of li', { hasText: 'claude-code' }).getByText('whole').waitFor()
    const compats = (): number => asked.filter(url => url.endsWith('/api/compat')).length
    await show('#/agents', 'What each agent makes of them')
    const first = compats()
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByRole('heading', { name: 'What skills can do' }).waitFor()
    await page.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('heading', { name: 'What each agent makes of them' }).waitFor()
    expect(compats()).toBe(first)
    await page.getByRole('button', { name: 'Look again' }).click()
    await expect.poll(compats).toBe(first + 1)
  })

  test('an unknown name says what to do, and an entry of the budget has the letters of the others', async () => {
    await show('#/skills/note', 'What to do')
    await page.locator('.detail').getByRole('link', { name: 'notes' }).click()
    await page.getByRole('heading', { name: 'notes', exact: true }).waitFor()
    await show('#/budget?window=8000', 'What the model is told')
    await page.locator('.entry').first().waitFor()
    const fonts =
      "new Set(Array.from(document.querySelectorAll('.entry'), one => getComputedStyle(one).fontFamily)).size"
    expect(await page.evaluate(fonts)).toBe(1)
  })

  test('opens and writes no file that is not shown', async () => {
    for (const path of ['repo/outside.md', 'repo/.claude/skills/../../outside.md', 'home/.bashrc']) {
      const said = await page.evaluate(async file => {
        const kept: { getItem(name: string): string | null } = Reflect.get(globalThis, 'sessionStorage')
        const { secret } = JSON.parse(kept.getItem('skills-ui') ?? '{}') as { secret?: string }
        const authorization = `Bearer ${secret}`
        const options = (body: object) => ({
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const named = encodeURIComponent(JSON.stringify({ path: file }))
        const read = await fetch(`/api/file?asked=${named}`, { headers: { authorization } })
        const saved = await fetch('/api/save', options({ path: file, text: 'x', version: '' }))
        // A request that changes something is never a GET, because a picture or link of another page could send one.
        const got = await fetch('/api/save?asked={}', { headers: { authorization } })
        return [read.status, saved.status, got.status]
      }, `${tree.path}/${path}`)
      expect(said, path).toEqual([400, 400, 405])
    }
    expect(readFileSync(`${tree.path}/repo/outside.md`, 'utf8')).toContain('Outside.')
  })

  test('the last evaluation is shown with its matrix and transcripts', async () => {
    await show('#/evals', 'What small makes of the skills')
    expect(await page.locator('.matrix').first().locator('thead th').allTextContents()).toEqual([
      'Query',
      'Should pick it',
      'notes',
      'deploy',
      'none',
    ])
    await page.getByText('1 transcript:').first().click()
    expect(await page.locator('details pre').allTextContents()).toEqual([
      'write notes',
      '<script>window.ran = 7</script>',
    ])
    expect(
      await page
        .locator('.range span')
        .first()
        .evaluate(one => one.getBoundingClientRect().width),
    ).toBeGreaterThan(9)
    expect(await page.evaluate('window.ran')).toBeUndefined()
  })

  test('every view is whole and readable for screen readers, in the dark and on a narrow screen', async () => {
    const views = {
      '#/': 'How your skills are',
      '#/skills/deploy': 'deploy',
      '#/budget': 'What the model is told',
      '#/agents': 'What each agent makes of them',
      '#/audit': 'What skills can do',
      '#/needs': 'What skills require',
      '#/evals': 'What small makes of the skills',
      '#/sources': 'Where skills come from',
      '#/runs/done-1': 'Its result',
      '#/runs/waits-1': 'May it push?',
      [`#/edit/notes?path=${encodeURIComponent(`${tree.path}/repo/.claude/skills/notes/SKILL.md`)}`]: 'How it reads',
    }
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [1280, 400]) {
        await page.emulateMedia({ colorScheme: scheme })
        await page.setViewportSize({ width, height: 800 })
        for (const [hash, heading] of Object.entries(views)) {
          await show(hash, heading)
          if (hash.startsWith('#/edit')) await page.getByText('- notes: Write notes').waitFor()
          const found = await findingsIn(page)
          await keepPicture(page, `${hash.slice(2).split('?')[0]?.replaceAll('/', '-')}-${scheme}-${width}`)
          expect(found, `${hash} ${scheme} ${width}`).toEqual([])
          const wide = await page.evaluate('document.documentElement.scrollWidth')
          expect(wide, `${hash} ${width}`).toBeLessThanOrEqual(width)
        }
      }
  })

  test('asked no other machine for anything, and broke no rule of its content policy', () => {
    expect(asked.filter(url => !url.startsWith(`${ui.origin}/`))).toEqual([])
    // The browser logs the requests that were refused above.
    expect(violations.filter(text => !text.includes('Failed to load resource'))).toEqual([])
  })

  test('a report works from disk, and asks for nothing', async () => {
    const file = `${tree.path}/report.html`
    const ended = await skills(['ui', '--export', file, '--cwd', `${tree.path}/repo`, '--home', `${tree.path}/home`])
    expect(ended).toMatchObject({ code: 0, stdout: '' })
    const report = await (await browser.newContext()).newPage()
    const sent: string[] = []
    const wrong: string[] = []
    report.on('request', one => sent.push(one.url()))
    report.on('console', message => {
      if (message.type() === 'error') wrong.push(message.text())
    })
    await report.goto(`file://${file}#/skills/hostile`)
    await report.locator('.body td').first().waitFor()
    expect(await report.evaluate(() => 'ran' in globalThis)).toBe(false)
    await report.goto(`file://${file}#/agents`)
    await report.getByRole('heading', { name: 'What each agent makes of them' }).waitFor()
    expect([sent.filter(url => !url.startsWith('file:')), wrong]).toEqual([[], []])
  })
})
