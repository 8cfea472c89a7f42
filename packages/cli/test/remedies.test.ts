import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { plain, runIn, type Ran } from './console.js'
import { placesWithRemedies } from './remedies/places.js'
import { notFollowed, proposeNothing, situations, type Situation } from './remedies/situations.js'

let tree: TempTree | undefined
afterEach(() => {
  tree?.dispose()
  tree = undefined
})

test.each(Object.entries(situations))('%s: the proposed command does what it says', async (_what, situation) => {
  const {
    files,
    before = [],
    later,
    rewritten,
    removed = [],
    prepare,
    argv,
    proposes,
    adds = '',
    byHand,
    effect,
  }: Situation = situation
  tree = tempTree(files)
  for (const line of before) expect(await typed(line), line).toMatchObject({ code: 0 })
  if (later !== undefined) tree.write(later)
  if (rewritten !== undefined) {
    const { file, from, to } = rewritten
    const text = readFileSync(`${tree?.path}/${file}`, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}.`)
    tree.write({ [file]: text.replaceAll(from, to) })
  }
  for (const path of removed) tree?.remove(path)
  await prepare?.(tree.path)
  const first = await typed(argv)
  const line = proposalIn(first, proposes)
  expect(line, `${first.stdout}${first.stderr}`).toBeDefined()
  if (typeof byHand === 'function') byHand(tree.path)
  else if (byHand !== undefined) tree.write(byHand)
  const words = /\b[A-Z]{3,}\b/.test(line ?? '')
    ? (line ?? '').replace(/\b[A-Z]{3,}\b/, adds)
    : `${line} ${adds}`.trim()
  const done = await typed(words)
  expect(done.code, `${words}\n${done.stdout}${done.stderr}`).toBeLessThan(2)
  expect(`${done.stdout}${done.stderr}`.trim()).not.toBe('')
  if (effect === 'shows') return
  expect(done.code, `${words}\n${done.stdout}${done.stderr}`).toBe(0)
  const second = await typed(argv)
  expect(second).not.toEqual(first)
  expect(proposalIn(second, proposes), `${second.stdout}${second.stderr}`).toBeUndefined()
})

/** Runs a command line in the folder `work`, at a terminal where no question is answered. */
async function typed(line: string): Promise<Ran> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
  const ran = await runIn(words, {
    cwd: `${tree?.path}/work`,
    home: `${tree?.path}/home`,
    env: { PATH: process.env['PATH'] },
    isTerminal: true,
    columns: 10_000,
  })
  return { ...ran, stdout: plain(ran.stdout), stderr: plain(ran.stderr) }
}

/** Returns the command line in an answer that begins with these words, without `skills `, up to the end of its sentence. */
function proposalIn({ stdout, stderr }: Ran, words: string): string | undefined {
  const text = `${stdout}\n${stderr}`
  for (const [, line = ''] of text.matchAll(/\bskills (?=([^\n"]+))/g)) {
    if (!line.startsWith(words)) continue
    return line
      .replace(/(?: {2,}|, (?:run|or) | does it| installs it| shows | lists |(?<=\S)\.(?: |$)|;|`).*$/, '')
      .trim()
  }
  return undefined
}

test('every place that proposes a command has a situation, and every situation a place', () => {
  const found = placesWithRemedies()
  const known = Object.values(situations).flatMap(({ places }) => places)
  expect(found.filter(place => ![...known, ...Object.keys(notFollowed), ...proposeNothing].includes(place))).toEqual([])
  expect([...known, ...Object.keys(notFollowed), ...proposeNothing].filter(place => !found.includes(place))).toEqual([])
})
