import fc from 'fast-check'
import {
  createSkills,
  defineProvider,
  loadResult,
  promptCommand,
  type Diagnostic,
  type PromptCommand,
} from '@skills/core'
import { fakeHost } from '@skills/testing'
import { expect, test } from 'vitest'
import { overwrittenAcrossSources } from '../source.js'
import { lastFirst, overwritten } from './last-wins.js'

function command(source: string, name: string, filePath: string | undefined): PromptCommand {
  return promptCommand({
    name,
    source,
    description: 'D.',
    load: () => ({ template: '' }),
    ...(filePath !== undefined && { filePath }),
  })
}

/**
 * Makes an engine with one source for each list. The name goes to the later source and, in one source, to the later
 * command.
 */
async function catalogOf(lists: readonly (readonly PromptCommand[])[]) {
  const skills = createSkills({
    plugins: lists.map((given, at) => {
      const commands = lastFirst(given)
      return defineProvider({
        kind: 'source',
        id: `p${at}`,
        setup: () => ({ source: `s${at}`, list: () => loadResult({ commands, warnings: overwritten(commands) }) }),
      })
    }),
    precedence: lists.map((_, at) => `s${at}`).toReversed(),
    qualifyLosers: false,
    identityOf: () => undefined,
    warningsOf: overwrittenAcrossSources,
    host: fakeHost(),
    onDiagnostic: () => {},
  })
  const catalog = await skills.catalog()
  await skills.close()
  return catalog
}

const placesOf = (warnings: readonly Diagnostic[]) =>
  warnings.map(({ code, name, provider, path, message }) => [code, name, provider, path, message])

test('a file whose name a later source takes is told of, with both paths', async () => {
  const { warnings } = await catalogOf([
    [command('s0', 'one', '/0/SKILL.md')],
    [command('s1', 'two', '/1/SKILL.md')],
    [command('s2', 'one', '/2/SKILL.md')],
  ])
  expect(placesOf(warnings)).toEqual([
    ['overwritten', 'one', 'p0', '/0/SKILL.md', '"one" is overwritten by /2/SKILL.md, which was found later.'],
  ])
})

test('what a source tells of itself is not told again, and what comes from no file cannot be renamed', async () => {
  const inner = [command('s0', 'one', '/near'), command('s0', 'one', '/far')]
  const { warnings } = await catalogOf([inner, [command('s1', 'one', undefined)], [command('s2', 'one', '/last')]])
  expect(placesOf(warnings)).toEqual([
    ['overwritten', 'one', 'p0', '/near', expect.stringContaining('/far,') as string],
    ['overwritten', 'one', 'p0', '/far', expect.stringContaining('/last,') as string],
  ])
})

test('a name is the same in every Unicode form', async () => {
  const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']
  const within = await catalogOf([[command('s0', composed, '/0'), command('s0', decomposed, '/1')]])
  expect([within.size, within.warnings.map(({ path }) => path)]).toEqual([1, ['/0']])
  const across = await catalogOf([[command('s0', composed, '/0')], [command('s1', decomposed, '/1')]])
  expect([across.size, across.warnings.map(({ path }) => path)]).toEqual([1, ['/0']])
})

test('however many there are and wherever they lie, each file that lost its name is told of once, and no other', async () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.array(names, { minLength: 1, maxLength: 4 }), async lists => {
      const commands = lists.map((list, at) => list.map((name, row) => command(`s${at}`, name, `/${at}/${row}`)))
      const { entries, warnings } = await catalogOf(commands)
      const kept = new Set(entries.map(entry => (entry.command.type === 'prompt' ? entry.command.filePath : undefined)))
      const all = commands.flat().map(({ filePath }) => filePath)
      expect(warnings.map(({ path }) => path).toSorted()).toEqual(all.filter(path => !kept.has(path)).toSorted())
      expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length)
      // The file that the message names was found later than the file it is about.
      for (const { path, message } of warnings)
        expect(all.findIndex(one => message.includes(` by ${one},`))).toBeGreaterThan(all.indexOf(path))
    }),
  )
})
