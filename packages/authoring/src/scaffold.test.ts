import { readFileSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { SkillsError } from '@skills/core'
import { defineField, fieldTable } from '@skills/core/fields'
import { parseFrontmatter } from '@skills/skill-md'
import { tempTree, type TempTree } from '@skills/testing'
import { checkEvalCases } from '@skills/evals/cases'
import { findSkillFiles, lintFiles } from '@skills/inspect'
import { checkText } from '@skills/inspect/internal'
import { scaffoldPlugin, scaffoldSkill, type Scaffold } from './scaffold.js'
import { writeScaffold } from './write-scaffold.js'

// The tests run many scaffolds, possibly on a busy machine.

let tree: TempTree | undefined
afterEach(() => {
  tree?.dispose()
  tree = undefined
})

/** Writes a scaffold. Returns the codes of its lint, and its paths relative to the parent. */
async function written(plan: (parent: string) => Promise<Scaffold>) {
  tree = tempTree()
  expect(await writeScaffold(await plan(`${tree.path}/.claude/skills`))).toHaveProperty('files')
  const { files } = await findSkillFiles([tree.path], { cwd: tree.path })
  const linted = await lintFiles(files, { standard: true, beside: checkEvalCases })
  return {
    paths: readdirSync(tree.path, { recursive: true }).map(String).toSorted(),
    codes: linted.files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)),
    checked: files.length,
  }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!SkillsError.is(error)) throw new Error('It was accepted.')
  return `${error.code} ${error.message}`
}

describe('a new skill', () => {
  test('leaves lint only the placeholder to say, the rules of the standard included', async () => {
    expect(await written(parent => scaffoldSkill({ name: 'release-notes', parent }))).toEqual({
      paths: ['.claude', '.claude/skills', '.claude/skills/release-notes', '.claude/skills/release-notes/SKILL.md'],
      codes: ['untouched-text'],
      checked: 1,
    })
    expect(readFileSync(`${tree?.path}/.claude/skills/release-notes/SKILL.md`, 'utf8')).toMatch(
      /^---\nname: release-notes\ndescription: .+\n---\n\n# release-notes\n\nWrite here [^]+\n$/,
    )
  })

  test('of any script has nothing else to be found either', async () => {
    expect(await written(parent => scaffoldSkill({ name: '漢字', parent }))).toMatchObject({
      codes: ['untouched-text'],
      checked: 1,
    })
  })

  test('keeps any description as it was given', async () => {
    const unit = fc.oneof(
      fc.constantFrom(...'ab1 :#-"\'[]{}&*!|>%@`,?$\\\n\t~.é😀\u0085\u2028\u001b'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    )
    const plain = fc.array(unit, { minLength: 1, maxLength: 30 }).map(units => units.join(''))
    await fc.assert(
      fc.asyncProperty(
        plain.filter(text => text.trim() !== ''),
        async description => {
          const {
            files: [file],
            folder,
          } = await scaffoldSkill({ name: 'a', parent: '/x', description })
          const text = file?.text ?? ''
          const parsed = await parseFrontmatter(text)
          expect(parsed.ok && parsed.data).toEqual({ name: 'a', description: description.trim() })
          const { diagnostics } = await checkText(`${folder}/SKILL.md`, text, { standard: true })
          expect(diagnostics.map(({ code }) => code)).toEqual(['untouched-text'])
        },
      ),
      { numRuns: 300 },
    )
  })

  test('is not planned under a name or a description that the standard refuses', async () => {
    const parent = '/x'
    expect(await refusal(scaffoldSkill({ name: 'Release Notes', parent }))).toMatch(
      /^E_INVALID_OPTION `Release Notes` .* release-notes\?$/,
    )
    expect(await refusal(scaffoldSkill({ name: '..', parent }))).toMatch(
      /^E_INVALID_OPTION .* Use letters, digits and hyphens, such as release-notes\.$/,
    )
    expect(await refusal(scaffoldSkill({ name: 'a', parent, description: ' \n' }))).toMatch(
      /^E_INVALID_OPTION There is no `description`\./,
    )
    expect(await refusal(scaffoldSkill({ name: 'a', parent, description: 'x'.repeat(1025) }))).toMatch(
      /^E_INVALID_OPTION `description` .* 1025 .* 1024 /,
    )
    expect((await scaffoldSkill({ name: 'a', parent, description: '😀'.repeat(1024) })).files).toHaveLength(1)
  })

  test('has each field of the table as a comment, a field of a host among them, and is as valid with all of them', async () => {
    const stage = defineField({
      name: 'stage',
      type: 'word',
      choices: { draft: 'draft', done: 'done' },
      default: 'draft',
      effect: 'how far it is',
      asks: false,
    })
    const description = 'First.\n---\nThen $& more.'
    const fields = { words: { context: [], shell: [], fields: [stage] } }
    const {
      files: [file],
    } = await scaffoldSkill({ name: 'a', parent: '/x', description, fields })
    const text = file?.text ?? ''
    expect(text).toContain('# How far it is. Default: draft. Write draft or done.\n#stage: draft\n---\n')
    const keys = [...text.matchAll(/^#([\w-]+):/gm)].map(([, key]) => key)
    expect(['name', 'description', ...keys]).toEqual([...fieldTable, stage].map(({ name }) => name))
    const parsed = await parseFrontmatter(text)
    expect(parsed.ok && parsed.data).toEqual({ name: 'a', description })
    const whole = text.replace(/^#(?=[\w-]+:)/gm, '')
    const linted = await checkText('/x/a/SKILL.md', whole, { fields })
    expect(linted.diagnostics.map(({ code }) => code)).toEqual(['untouched-text'])
    const read = await parseFrontmatter(whole)
    expect(read.ok && read.data).toMatchObject({ context: 'inline', 'user-invocable': 'true', stage: 'draft' })
  })

  test('is not planned where no loader would find it', async () => {
    expect(await refusal(scaffoldSkill({ name: 'skills', parent: '/x/.claude' }))).toMatch(
      /^E_INVALID_OPTION .* \/x\/\.claude\/skills /,
    )
  })

  test('has a plain path, wherever it goes', async () => {
    expect([
      (await scaffoldSkill({ name: 'a', parent: '/' })).folder,
      (await scaffoldSkill({ name: 'a', parent: '/x/./y/../' })).folder,
    ]).toEqual(['/a', '/x/a'])
  })
})

describe('a new plugin', () => {
  test('has a manifest and a first skill that leaves lint only the placeholder to say', async () => {
    const { paths, codes, checked } = await written(parent =>
      scaffoldPlugin({ name: 'house-rules', parent, description: 'Says "how": we work #1.' }),
    )
    const folder = '.claude/skills/house-rules'
    expect(paths.filter(path => path.startsWith(`${folder}/`))).toEqual([
      `${folder}/.claude-plugin`,
      `${folder}/.claude-plugin/plugin.json`,
      `${folder}/skills`,
      `${folder}/skills/first-skill`,
      `${folder}/skills/first-skill/SKILL.md`,
    ])
    expect({ codes, checked }).toEqual({ codes: ['untouched-text'], checked: 1 })
    const manifest: unknown = JSON.parse(readFileSync(`${tree?.path}/${folder}/.claude-plugin/plugin.json`, 'utf8'))
    expect(manifest).toEqual({ name: 'house-rules', version: '0.1.0', description: 'Says "how": we work #1.' })
  })

  test('is not planned under a name that a manifest may not have', async () => {
    expect(await refusal(scaffoldPlugin({ name: 'House', parent: '/x' }))).toContain('Did you mean house?')
    expect(await refusal(scaffoldPlugin({ name: 'règles', parent: '/x' }))).toMatch(/^E_INVALID_OPTION `règles` /)
  })
})
