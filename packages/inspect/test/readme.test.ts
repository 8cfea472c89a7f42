import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { createSkills } from '@skills/core'
import {
  auditCatalog,
  checkRequirements,
  filesBeside,
  lintCatalog,
  reachesLevel,
  requirementTree,
  searchSkills,
  setFields,
} from '@skills/inspect'
import { fileSource } from '@skills/files/source'
import { tempTree, type TempTree } from '@skills/testing'

// #region lint
import { locationOf } from '@skills/core'
import { findSkillFiles, lintFiles } from '@skills/inspect'

/** Repairs the files in the folder `skills` as far as possible, and prints the remaining problems. */
async function lint(cwd: string, print: (line: string) => void): Promise<void> {
  const { files, diagnostics } = await findSkillFiles(['skills'], { cwd })
  const result = await lintFiles(files, { fix: true, standard: false })

  for (const problem of [...diagnostics, ...result.files.flatMap(file => file.diagnostics)]) {
    print(`${locationOf(problem)} ${problem.severity}: ${problem.message} ${problem.hint ?? ''}`)
  }
  print(`${result.counts.errors} errors, ${result.counts.fixedFiles} files repaired`)
}
// #endregion lint

let tree: TempTree
afterEach(() => tree.dispose())

const skill = '---\nname: greet\ndescription: Use it: now\nuser-invocable: maybe\n---\nGreet.\n'

test('files are checked and repaired as the README shows', async () => {
  tree = tempTree({ 'skills/greet/SKILL.md': skill })
  const printed: string[] = []
  await lint(tree.path, line => printed.push(line))
  expect(printed).toEqual([
    expect.stringMatching(/skills\/greet\/SKILL\.md:4:17 error: `user-invocable` .*"maybe"\./),
    '1 errors, 1 files repaired',
  ])
  expect(readFileSync(`${tree.path}/skills/greet/SKILL.md`, 'utf8')).toBe(skill.replace('Use it: now', "'Use it: now'"))
})

test('a catalog is checked as the README shows', async () => {
  tree = tempTree({ 'skills/greet/SKILL.md': '---\ndescription: x\nrequires: absent\n---\nGreet.\n' })
  const source = fileSource({ id: 'mine', source: 'user', roots: () => ({ roots: [{ path: `${tree.path}/skills` }] }) })
  const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
  try {
    // #region catalog
    const catalog = await skills.catalog()
    const { files, others, counts } = await lintCatalog(catalog)
    const requirements = await checkRequirements(catalog)
    // #endregion catalog
    expect([files.length, others.length, counts.warnings, requirements.map(({ code }) => code)]).toEqual([
      1,
      0,
      1,
      ['missing-requirement'],
    ])
  } finally {
    await skills.close()
  }
})

test('a catalog is searched as the README shows', async () => {
  tree = tempTree({ 'skills/greet/SKILL.md': '---\ndescription: Says hello.\ntags: [manners]\n---\nGreet.\n' })
  const source = fileSource({ id: 'mine', source: 'user', roots: () => ({ roots: [{ path: `${tree.path}/skills` }] }) })
  const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
  const printed: string[] = []
  const print = (line: string): void => void printed.push(line)
  try {
    // #region search
    const { found } = await searchSkills(await skills.catalog(), 'say hello')
    for (const { name, state, reasons } of found)
      print(`${name} (${state}): ${reasons.map(({ field, words }) => `${field} has ${words.join(', ')}`).join('; ')}`)
    // #endregion search
    expect(printed).toEqual(['greet (active): description has hello, says'])
  } finally {
    await skills.close()
  }
})

test('a skill is shown as the README shows', async () => {
  tree = tempTree({
    'skills/greet/SKILL.md': '---\ndescription: x\nrequires: absent\n---\nGreet.\n',
    'skills/greet/words.md': 'hello',
  })
  const source = fileSource({ id: 'mine', source: 'user', roots: () => ({ roots: [{ path: `${tree.path}/skills` }] }) })
  const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
  const printed: string[] = []
  const print = (line: string): void => void printed.push(line)
  try {
    // #region show
    const catalog = await skills.catalog()
    const entry = catalog.require('greet')
    for (const { name, value } of setFields(entry.command)) print(`${name}: ${JSON.stringify(value)}`)

    const { files } = await filesBeside(`${tree.path}/skills/greet`, { except: `${tree.path}/skills/greet/SKILL.md` })
    for (const { path, size } of files) print(`${path} (${size} bytes)`)

    const { rows, cycles } = requirementTree(catalog, entry)
    for (const { wanted, depth, status } of rows) print(`${'  '.repeat(depth)}${wanted} ${status}`)
    // #endregion show
    expect(printed).toEqual(['description: "x"', 'requires: ["absent"]', 'words.md (5 bytes)', '  absent missing'])
    expect(cycles).toEqual([])
  } finally {
    await skills.close()
  }
})

test('what skills can do is told as the README shows', async () => {
  tree = tempTree({ 'skills/greet/SKILL.md': '---\ndescription: x\nallowed-tools: "*"\n---\nNow: !`date`\n' })
  const source = fileSource({ id: 'mine', source: 'user', roots: () => ({ roots: [{ path: `${tree.path}/skills` }] }) })
  const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
  const printed: string[] = []
  const print = (line: string): void => void printed.push(line)
  try {
    // #region audit
    const audit = await auditCatalog(await skills.catalog())
    for (const { name, level, findings } of audit.skills.filter(one => reachesLevel(one.level, 'medium'))) {
      print(`${name}: ${level}`)
      for (const finding of findings) print(`  ${finding.line}:${finding.column} ${finding.level} ${finding.message}`)
    }
    // #endregion audit
  } finally {
    await skills.close()
  }
  expect(printed).toEqual([
    'greet: high',
    expect.stringMatching(/^ {2}3:16 high .*: \*$/),
    expect.stringMatching(/^ {2}5:6 medium .*: date$/),
  ])
})
