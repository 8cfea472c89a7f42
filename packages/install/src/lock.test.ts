import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporary } from '../test/places.js'
import { lockText, manifestText, readLock, readManifest, type Lock, type LockedSkill } from './lock.js'
import { digestOf } from './skill-files.js'

const schemaOf = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../${name}.schema.json`, import.meta.url), 'utf8')) as object

const name = fc.stringMatching(/^[a-z][a-z\d-]{0,12}$/)
const hex = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[\\da-f]{${length}}$`))
const integrity = `sha512-${'A'.repeat(86)}==`
/** Generates a source with a possible resolution. */
const origin = fc.oneof(
  hex(40).map(commit => ({
    source: 'acme/tools',
    resolved: { type: 'git' as const, url: 'https://github.com/acme/tools.git', commit },
  })),
  fc
    .tuple(name, fc.constantFrom('', '@1.x', '@latest'))
    .map(([of, range]) => ({
      source: `npm:${of}${range}`,
      resolved: { type: 'npm' as const, name: of, version: '1.2.0', integrity },
    })),
  fc
    .tuple(name, hex(64))
    .map(([of, digest]) => ({
      source: `https://files.example/${of}.zip`,
      resolved: { type: 'archive' as const, at: `https://files.example/${of}.zip`, digest: `sha256:${digest}` },
    })),
  name.map(of => ({ source: `./${of}`, resolved: { type: 'folder' as const, path: `./${of}` } })),
)
const lock: fc.Arbitrary<Lock> = fc.dictionary(
  name,
  fc
    .record({
      origin,
      path: name,
      agents: fc.dictionary(name, fc.constantFrom('same', 'link .claude/skills')),
      files: fc.dictionary(
        fc.array(name, { minLength: 1, maxLength: 3 }).map(parts => `${parts.join('/')}.md`),
        fc.tuple(hex(64), fc.constantFrom('', ' x')).map(([digest, mark]) => digest + mark),
      ),
    })
    .map(({ origin: from, ...one }): LockedSkill => ({ ...from, ...one, digest: digestOf(one.files) })),
)

describe('the lock', () => {
  it('reads what it wrote, says the same of the same, and keeps its schema', () => {
    const tree = temporary()
    const path = `${tree.path}/skills.lock.json`
    const isValid = new Ajv().compile(schemaOf('skills-lock'))
    fc.assert(
      fc.property(lock, given => {
        const text = lockText(given)
        tree.write({ 'skills.lock.json': text })
        expect(readLock(path)).toEqual(given)
        expect(lockText(Object.fromEntries(Object.entries(given).toReversed()))).toBe(text)
        expect(isValid(JSON.parse(text)), JSON.stringify(isValid.errors)).toBe(true)
      }),
    )
  })

  it('takes nothing of a prototype for a skill', () => {
    const tree = temporary({ 'skills.lock.json': '{"version":1,"skills":{"__proto__":{"source":"x"}}}' })
    expect(() => readLock(`${tree.path}/skills.lock.json`)).toThrow(
      expect.objectContaining({ code: 'E_INSTALL_LOCK', message: expect.stringContaining('not a valid name') }),
    )
  })

  it('is merged by git line by line', () => {
    const of = (...names: readonly string[]): string =>
      lockText(Object.fromEntries(names.map(one => [one, lockedSkill(`${one}\n`)])))
    const tree = temporary({ base: of('b', 'm', 'y'), ours: of('a', 'b', 'm', 'y'), theirs: of('b', 'm', 'n', 'y') })
    execFileSync('git', ['merge-file', 'ours', 'base', 'theirs'], { cwd: tree.path })
    expect(readFileSync(`${tree.path}/ours`, 'utf8')).toBe(of('a', 'b', 'm', 'n', 'y'))
  })
})

function lockedSkill(text: string): LockedSkill {
  const files = { 'SKILL.md': digestOf({ x: text }).slice('sha256:'.length) }
  return {
    source: './x',
    resolved: { type: 'folder', path: './x' },
    path: '',
    digest: digestOf(files),
    agents: {},
    files,
  }
}

it('skills.json reads what it wrote, and keeps its schema', () => {
  const tree = temporary()
  const given = { agents: ['codex'], skills: { b: { source: './x', link: true }, a: { source: 'acme/tools' } } }
  const text = manifestText(given)
  tree.write({ 'skills.json': text })
  expect(readManifest(`${tree.path}/skills.json`)).toEqual(given)
  expect(Object.keys(readManifest(`${tree.path}/skills.json`).skills)).toEqual(['a', 'b'])
  const isValid = new Ajv().compile(schemaOf('skills'))
  expect(isValid(JSON.parse(text)), JSON.stringify(isValid.errors)).toBe(true)
})
