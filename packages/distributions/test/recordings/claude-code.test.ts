import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeCode } from '../../src/agents/claude-code/index.js'
import { differences, type Difference } from './claude-code-classes.js'
import { differing } from './compare.js'
import { seenIn, type RecordedCase } from './recorded-case.js'
import { replay } from './replay-case.js'

/** Folder with recordings of released programs, which are not part of this project. */
const folder = process.env['SKILLS_RECORDINGS'] ?? ''

const groups: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['expansion', /^(?:A-|N-(?:args|words|bang|vars|typed))/],
  ['listing', /^B-/],
  ['precedence', /^(?:C-|N-(?:dup|display|link|dir|git|claude|cmd|plugin|nested|ov))/],
  ['tolerance', /^(?:D-|N-(?:first|desc|yaml|flags|paths))/],
  ['fork', /^(?:E|N)-fork/],
  ['hooks', /^(?:E-(?:allowed-)?|N-)hook/],
  ['permission', /^(?:E-(?:perm|ask|allow|at-|default|dontAsk|plan|acceptEdits|cli|disallowed)|N-(?:at|perm))/],
  ['tool', /^/],
]

type Class = 'same' | Difference

/** Files of the recorded releases that the distribution follows. */
const releases = folder === '' ? [] : readdirSync(folder).filter(name => /^claude-code-.*\.json$/.test(name))

function casesIn(release: string): readonly RecordedCase[] {
  const { cases } = JSON.parse(readFileSync(join(folder, release), 'utf8')) as {
    readonly cases: readonly RecordedCase[]
  }
  return cases
}

/** Least share of cases with the same effect: of all, and of each group. A recording of further situations has fewer. */
const least = (release: string): readonly [all: number, group: number] =>
  release === 'claude-code-2.1.330.json' ? [0.93, 0.9] : [0.9, 0.5]

const replayed = () =>
  describe.each(releases.toSorted())('claude-code does what Claude Code was recorded doing in %s', release => {
    const counts = new Map<string, Record<Class, number>>()

    it.each(casesIn(release))(
      '$id',
      async recorded => {
        const { id } = recorded
        const [group = ''] = groups.find(([, pattern]) => pattern.test(id)) ?? []
        const count = counts.get(group) ?? { same: 0, words: 0, safer: 0, elsewhere: 0 }
        counts.set(group, count)
        const [theirs, ours] = [seenIn(recorded), await replay(recorded, claudeCode)]
        const exactly = differing(theirs, ours, 'words')
        const [given] = differences[id] ?? []
        const found = exactly.length === 0 ? 'same' : differing(theirs, ours, 'effect').length === 0 ? 'words' : given
        if (found !== undefined) count[found] += 1
        // A difference without a class fails, and so does a reason for a case that does not differ.
        expect(given === undefined ? differing(theirs, ours, 'effect') : found, id).toEqual(given ?? [])
      },
      30_000,
    )

    it('in most cases, or with the same effect', () => {
      const table = Object.fromEntries(counts)
      process.stdout.write(`${JSON.stringify(table, undefined, 1)}\n`)
      const all = [...counts.values()]
      const sum = (...classes: readonly Class[]): number =>
        all.flatMap(count => classes.map(one => count[one])).reduce((one, other) => one + other, 0)
      const shareOf = ({ same, words, safer, elsewhere }: Record<Class, number>): number =>
        (same + words) / (same + words + safer + elsewhere)
      const [leastOfAll, leastOfGroup] = least(release)
      expect(sum('same', 'words') / sum('same', 'words', 'safer', 'elsewhere')).toBeGreaterThanOrEqual(leastOfAll)
      expect([...counts].filter(([, count]) => shareOf(count) < leastOfGroup)).toEqual([])
    })
  })

const leftOut = () =>
  describe('the recordings of Claude Code', () => {
    it('are left out: SKILLS_RECORDINGS names no folder with them', () => {
      expect(folder).toBe('')
    })
  })

if (folder === '') leftOut()
else replayed()
