import { existsSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { openRuns } from '@skills/runs'
import { fakeHost, tempTree, type TempTree } from '@skills/testing'
import { EngineAnswers } from './engine-answers.js'

let tree: TempTree | undefined
let answers: EngineAnswers | undefined
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await answers?.close()
  for (const close of closing.splice(0)) await close()
  tree?.dispose()
})

function answersAbout(
  files: Record<string, string>,
  options: Pick<Parameters<typeof standard>[0], 'listing'> = {},
): EngineAnswers {
  tree = tempTree({ '.git/HEAD': '', ...files })
  const host = fakeHost({ cwd: tree.path, home: `${tree.path}/home` })
  const bare = { managed: { dirs: [] }, bundled: false, builtin: false } as const
  const distribution = standard({ host, ...bare, ...options, onDiagnostic: () => {} })
  const skills = createSkills(distribution)
  closing.push(() => skills.close())
  const runs = openRuns(host, { dir: tree.path })
  const { signal } = new AbortController()
  return (answers = new EngineAnswers({ skills, distribution }, { runs, version: '1.2.3', signal }))
}

const deploy = '.claude/skills/deploy/SKILL.md'
const files = {
  [deploy]: '---\ndescription: Ships the service.\nrequires: [build]\n---\nDo it.\n',
  '.claude/skills/build/SKILL.md':
    '---\ndescription: Builds the service.\ndisable-model-invocation: true\n---\nDo it.\n',
}

test('any host with an engine can answer what the page asks about skills', async () => {
  const of = answersAbout(files)
  expect(await of.about()).toMatchObject({ version: '1.2.3', distribution: 'standard', cwd: tree?.path, problems: [] })
  expect([...(await of.skills())].map(({ name, state, errors }) => [name, state, errors])).toEqual([
    ['build', 'active', 0],
    ['deploy', 'active', 0],
  ])
  expect(await of.skill({ name: 'deploy' })).toMatchObject({
    explanation: { query: 'deploy', answers: [{ name: 'deploy', isListed: true }] },
    shown: { name: 'deploy', body: 'Do it.\n' },
    repair: null,
    isEditable: true,
  })
  expect([...(await of.audit())].map(({ name }) => name)).toEqual(['build', 'deploy'])
  expect(await of.needs()).toMatchObject([{ name: 'deploy', rows: [{ wanted: 'build', status: 'met' }] }])
  expect(await of.evals()).toEqual({ report: null })
  expect(await of.runs()).toEqual([])
  expect([await of.haveRunsChanged(), await of.haveRunsChanged()]).toEqual([true, false])
})

test('a listing says what is told, as another agent or with skills switched off', async () => {
  const of = answersAbout(files)
  const own = await of.listing({})
  expect(own.entries.map(({ name }) => name)).toEqual(['deploy'])
  expect(own.kept).toMatchObject([{ name: 'build', reasons: [{ cause: 'flag' }] }])
  expect((await of.listing({ off: ['deploy'] })).entries).toEqual([])
  expect((await of.listing({ agent: 'claude-code' })).entries.map(({ name }) => name)).toEqual(['deploy'])
  await expect(of.listing({ agent: 'none' })).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
})

test('every answer says what a model with the same window is told', async () => {
  const of = answersAbout(files, { listing: { unknownWindow: 1 } })
  const { contextWindow, costs } = await of.health()
  expect(costs.map(({ name }) => name)).toEqual(['deploy'])
  expect(await of.listing({})).toMatchObject({ contextWindow, entries: [{ name: 'deploy', shown: 'whole' }] })
  const rows = [...(await of.skills())]
  expect(rows.map(({ name, told }) => [name, told.told])).toEqual([
    ['build', 'user'],
    ['deploy', 'whole'],
  ])
  expect((await of.skill({ name: 'deploy' })).explanation.answers).toMatchObject([{ told: { told: 'whole' } }])
})

test('a file that is nearly a skill is moved and moved back, and any other file stays', async () => {
  const of = answersAbout({
    ...files,
    '.claude/skills/flat.md': '---\ndescription: Ships it flat.\n---\nDo it.\n',
    '.claude/skills/json/skill.json': '{}',
    'outside.md': 'x',
  })
  const at = (path: string): string => `${tree?.path}/${path}`
  const [flat, folder] = [at('.claude/skills/flat.md'), at('.claude/skills/flat')]
  const almost = async () => (await of.health()).almost.map(({ code, to }) => [code, to])
  expect(await almost()).toEqual([
    ['flat-skill', `${folder}/SKILL.md`],
    ['json-skill', null],
  ])
  for (const path of [at('outside.md'), at('.claude/skills/json/skill.json'), at(deploy)])
    expect(await of.move({ path }), path).toMatchObject({ problem: expect.any(String) })
  expect(await of.move({ path: flat, isBack: true })).toMatchObject({ problem: expect.any(String) })
  expect(await of.move({ path: flat })).toEqual({ from: flat, to: `${folder}/SKILL.md` })
  expect([...(await of.skills())].map(({ name }) => name)).toContain('flat')
  expect(await of.health()).toMatchObject({ almost: [{ code: 'json-skill' }], moved: [{ from: flat }] })
  expect(await of.move({ path: flat, isBack: true })).toEqual({ from: `${folder}/SKILL.md`, to: flat })
  expect([existsSync(flat), existsSync(folder)]).toEqual([true, false])
  expect((await of.health()).moved).toEqual([])
  // What was put beside it meanwhile keeps its folder.
  await of.move({ path: flat })
  tree?.write({ '.claude/skills/flat/more.txt': 'x' })
  await of.move({ path: flat, isBack: true })
  expect([existsSync(flat), existsSync(`${folder}/more.txt`)]).toEqual([true, true])
})

test('the health says how many skills were not asked about trust', async () => {
  const names = Array.from({ length: 502 }, (_, at) => `skill-${at}`)
  const of = answersAbout(
    Object.fromEntries(
      names.map(name => [`.claude/skills/${name}/SKILL.md`, '---\ndescription: Text.\n---\nDo it.\n']),
    ),
  )
  expect(await of.health()).toMatchObject({ needsTrust: [], unasked: 2, unchecked: 0 })
})

test('the health says what a turn costs, what can be repaired and what is not trusted', async () => {
  const of = answersAbout({
    ...files,
    '.claude/skills/hooked/SKILL.md': '---\ndescription: Ship: it.\nallowed-tools: Bash(git push:*)\n---\nDo it.\n',
  })
  const { costs, repairs, needsTrust } = await of.health()
  expect(costs).toEqual([
    { name: 'deploy', tokens: 8 },
    { name: 'hooked', tokens: 5 },
  ])
  expect(repairs).toEqual([
    { name: 'hooked', path: `${tree?.path}/.claude/skills/hooked/SKILL.md`, problems: [expect.any(String)] },
  ])
  expect(needsTrust).toEqual(['hooked'])
})

test('one skill is looked at as each agent does, and a path that is not shown is not', async () => {
  const of = answersAbout(files)
  const path = `${tree?.path ?? ''}/${deploy}`
  const { skills } = await of.agents({ name: 'deploy', path })
  expect(skills).toMatchObject([{ name: 'deploy', path }])
  expect(skills[0]?.agents.find(({ agent }) => agent === 'claude-code')).toMatchObject({ found: 'here', told: 'whole' })
  expect((await of.agents({ name: 'deploy', path: '/etc/passwd' })).skills).toMatchObject([{ path }])
})

test('of a folder that a person gives it is said which skill is here, and nothing is written', async () => {
  const of = answersAbout(files)
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const given = await of.given({
    files: [
      { path: 'skills/deploy/SKILL.md', bytes: encoded(files[deploy]) },
      { path: 'skills/build/SKILL.md', bytes: encoded('---\ndescription: Another.\n---\n') },
      { path: 'skills/fresh/SKILL.md', bytes: encoded('---\ndescription: New.\n---\nDo it.\n') },
      { path: 'skills/fresh/data.bin' },
    ],
  })
  expect(given.skills.map(({ name, here }) => [name, here?.isSame, here?.isListed])).toEqual([
    ['deploy', true, true],
    ['build', false, false],
    ['fresh', undefined, undefined],
  ])
  expect(given.places[0]).toContain(tree?.path)
  expect(existsSync(`${tree?.path}/.claude/skills/fresh`)).toBe(false)
  await expect(of.given({ files: [{ path: '../x/SKILL.md' }] })).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
})

test('a shown file can be read, checked and saved, and no other one', async () => {
  const of = answersAbout(files)
  const path = `${tree?.path ?? ''}/${deploy}`
  const { text, version } = await of.file({ path })
  const draft = text.replace('Ships', 'Delivers')
  expect(await of.check({ path, text: draft })).toMatchObject({
    problems: [],
    told: expect.stringContaining('Delivers'),
  })
  expect(await of.save({ path, text: draft, version })).toMatchObject({ version: expect.any(String) })
  expect((await of.file({ path })).text).toBe(draft)
  await expect(of.file({ path: `${tree?.path ?? ''}/.git/HEAD` })).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
})
