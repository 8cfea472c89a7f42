import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { canPlay, commandsOf, played } from './sessions/sessions.js'

const root = path.resolve(import.meta.dirname, '../../..')
const text = (page: string): string => readFileSync(path.join(root, page), 'utf8')

const pages = [
  'README.md',
  'packages/cli/README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .toSorted()
    .map(name => `docs/${name}`),
]
const followed = pages.filter(page => commandsOf(text(page)).length > 0)

// SKILLS_WRITE_SESSIONS=1 writes the current output; scripts/sessions.mjs sets it.
test.runIf(canPlay).each(followed)(
  'who types the commands of %s sees what it shows',
  async page => {
    const before = text(page)
    const shown = await played(before)
    if (process.env['SKILLS_WRITE_SESSIONS'] === '1' && shown !== before) writeFileSync(path.join(root, page), shown)
    expect(shown, `run node scripts/sessions.mjs --write ${page}`).toBe(text(page))
  },
  // The contract of a source waits for a source that is supposed to hang.
  120_000,
)

test.each(pages.filter(page => /^docs\/(tutorials|guides|commands)\//.test(page)))('%s shows a session', page => {
  expect(followed).toContain(page)
})

test('every file of code of the guides and tutorials is saved and run by a reader of its page', () => {
  const shown = pages.flatMap(page =>
    Array.from(text(page).matchAll(/^<!-- file: \S+ -->\n<!-- from (\S+) -->$/gm), ([, from = '']) => from),
  )
  const files = ['docs/guides/code', 'docs/tutorials/code'].flatMap(folder =>
    readdirSync(path.join(root, folder)).map(name => `${folder}/${name}`),
  )
  expect(files.length).toBeGreaterThan(4)
  expect(shown.toSorted()).toEqual(files.toSorted())
})

test('JSON that a guide or tutorial gives a reader to copy is JSON', () => {
  const blocks = pages
    .filter(page => /^docs\/(tutorials|guides)\//.test(page))
    .flatMap(page => Array.from(text(page).matchAll(/^```json\n([^]*?)^```$/gm), ([, json = '']) => json))
  expect(blocks.length).toBeGreaterThan(3)
  for (const json of blocks) expect(() => JSON.parse(json), json).not.toThrow()
})

test.each(pages.filter(page => page.startsWith('docs/commands/')))('%s shows what an error looks like', page => {
  const [, failing = ''] = text(page).split('\n## When it fails\n')
  expect(failing).toMatch(/^skills: |^.* error {2}|^\$ echo \$\?\n[12]$/m)
})
