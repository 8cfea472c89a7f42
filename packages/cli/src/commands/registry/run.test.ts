import { createServer } from 'node:http'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { openRegistry } from '@skills/registry'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Ran } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

const text = (description: string, body = 'Do it.'): string => `---\ndescription: ${description}\n---\n${body}\n`

/** Returns a function that runs a line in a project beside a source `x` with three skills, of which one is refused. */
function program() {
  tree = tempTree({
    'project/.git/HEAD': 'ref: refs/heads/main\n',
    'home/.keep': '',
    'x/skills/deploy/SKILL.md': text('Ships the site.', 'Run scripts/run.sh.'),
    'x/skills/deploy/scripts/run.sh': { content: '#!/bin/sh\necho shipped\n', mode: 0o755 },
    'x/skills/notes/SKILL.md': text('Writes notes of a release.'),
    'x/skills/bad/SKILL.md': '---\ndescription: Never ends.\n',
  })
  return async (line: string, more: object = {}) =>
    runIn(line.split(' '), {
      cwd: `${tree.path}/project`,
      home: `${tree.path}/home`,
      env: { SKILLS_REGISTRY: '../registry.db' },
      ...more,
    })
}

test('a registry is made, filled from a source, searched and shown', async () => {
  const skills = program()
  expect(await skills('registry search ship')).toMatchObject({ code: 1, stdout: '' })
  expect((await skills('registry init')).stdout).toBe(`${tree.path}/registry.db is a registry.\n`)
  const added = await skills('registry add ../x --namespace acme')
  expect(added).toMatchObject({ code: 1, stdout: '2 skills published, 0 unchanged, 1 refused\n' })
  expect(added.stderr).toMatch(/^skills: bad is left out: acme\/bad is not published: .+\n$/)

  writeFileSync(`${tree.path}/x/skills/notes/SKILL.md`, text('Writes more notes.'))
  const again = JSON.parse((await skills('registry add ../x --namespace acme --json')).stdout)
  expect(again).toMatchObject({
    published: [{ namespace: 'acme', name: 'notes', digest: expect.stringMatching(/^sha256:/) }],
    unchanged: 1,
    refused: [{ name: 'bad', path: 'skills/bad' }],
  })
  writeFileSync(`${tree.path}/x/skills/notes/SKILL.md`, text('Writes notes of a release.'))
  await skills('registry add ../x --namespace acme')

  expect(await skills('registry search releases')).toMatchObject({
    code: 0,
    stdout: 'acme/notes\tWrites notes of a release.\n',
  })
  expect((await skills('registry search ship --namespace other')).stdout).toBe('')
  expect(JSON.parse((await skills('registry search ship --json')).stdout)).toMatchObject({
    query: 'ship',
    results: [{ namespace: 'acme', name: 'deploy', provenance: { source: '../x', path: 'skills/deploy' } }],
  })
  const shown = (await skills('registry show acme/notes')).stdout
  expect(shown).toMatch(/^acme\/notes {2}Writes notes of a release\.\nFiles {2}1, 55 bytes\nFrom {3}\.\.\/x\n/)
  expect(shown.match(/^ {2}[\da-f]{12} {2}\d{4}-\d\d-\d\d.*$/gm)?.map(line => /latest/.test(line))).toEqual([
    false,
    true,
  ])
  expect((await skills('registry show acme/none')).stderr).toMatch(/no skill acme\/none/)
})

test('a version is published with a label, tagged, yanked, and removed when no one can get it', async () => {
  const skills = program()
  await skills('registry init')
  const publish = async (label: string, description: string) => {
    writeFileSync(`${tree.path}/x/skills/notes/SKILL.md`, text(description))
    return skills(`registry publish ../x --skill notes --namespace acme --label ${label}`)
  }
  expect((await publish('1.0.0', 'One.')).code).toBe(0)
  expect((await publish('1.0.0', 'Two.')).stderr).toMatch(/another version of acme\/notes with the label "1\.0\.0"/)
  expect((await publish('2.0.0', 'Two.')).code).toBe(0)
  expect((await publish('3.0.0', 'Two.')).stderr).toMatch(/has acme\/notes with this content already/)
  expect((await skills('registry publish ../x --namespace acme --label 1')).stderr).toMatch(
    /3 skills, and a label is for one/,
  )
  expect((await skills('registry tag acme/notes stable 1.0.0')).stdout).toBe('acme/notes stable is 1.0.0.\n')
  expect((await skills('registry yank acme/notes 2.0.0')).stdout).toBe('acme/notes 2.0.0 is yanked.\n')
  expect((await skills('registry search one')).stdout).toBe('acme/notes\tOne.\n')
  expect((await skills('registry yank acme/notes 2.0.0 --undo')).stdout).toBe('acme/notes 2.0.0 is not yanked.\n')
  await skills('registry yank acme/notes 2.0.0')
  expect((await skills('registry gc')).stdout).toBe('1 version and 1 file removed\n')
  expect(JSON.parse((await skills('registry gc --keep 1 --json')).stdout)).toEqual({ versions: 0, files: 0 })
})

test('an exported site has the same skills, with the same digests, for every program that reads its index', async () => {
  const skills = program()
  await skills('registry init')
  await skills('registry add ../x --namespace acme')
  await skills('registry add ../x --skill notes --namespace zeta')
  const all = await skills('registry export ../site')
  expect(all).toMatchObject({ code: 1, stdout: '2 skills written to ../site\n' })
  expect(all.stderr).toMatch(/zeta\/notes is not exported: a site has each name once, and acme\/notes has it/)
  expect((await skills('registry export ../site --namespace acme')).code).toBe(0)
  const index = readFileSync(`${tree.path}/site/.well-known/agent-skills/index.json`, 'utf8')
  expect(JSON.parse(index)).toMatchObject({
    skills: [
      { name: 'deploy', type: 'archive', url: 'deploy/skill.tar.gz' },
      { name: 'notes', type: 'skill-md', url: 'notes/SKILL.md', description: 'Writes notes of a release.' },
    ],
  })
  await skills('registry export ../site --namespace acme')
  expect(readFileSync(`${tree.path}/site/.well-known/agent-skills/index.json`, 'utf8')).toBe(index)

  const server = createServer((request, response) => {
    const path = `${tree.path}/site${request.url ?? ''}`
    if (existsSync(path)) response.end(readFileSync(path))
    else response.writeHead(404).end()
  })
  await new Promise<void>(listening => void server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  const site = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
  expect((await skills(`registry add ${site} --namespace copy`)).stdout).toBe(
    '2 skills published, 0 unchanged, 0 refused\n',
  )
  const registry = await openRegistry({ at: `${tree.path}/registry.db` })
  const names = ['deploy', 'notes']
  expect(await registry.digests(names.map(name => ({ namespace: 'copy', name })))).toEqual(
    await registry.digests(names.map(name => ({ namespace: 'acme', name }))),
  )
  await registry.close()
  expect((await skills(`add ${site} --all --yes`)).code).toBe(0)
  expect(readFileSync(`${tree.path}/project/.agents/skills/deploy/scripts/run.sh`, 'utf8')).toContain('echo shipped')
})

test('a served registry is a site, from which skills are installed with the digests of the registry', async () => {
  const skills = program()
  await skills('registry init')
  await skills('registry add ../x --namespace acme')
  const stop = new AbortController()
  let ended: Promise<Ran> | undefined
  const url = await new Promise<string>(listening => {
    ended = skills('registry serve', {
      signal: stop.signal,
      onOutput: (output: string) => {
        const [at] = /http:\S+(?=\/,)/.exec(output) ?? []
        if (at !== undefined) listening(at)
      },
    })
  })
  expect((await skills(`add ${url} --skill deploy --yes`)).code).toBe(0)
  expect((await skills(`add ${url}/acme --skill notes --yes`)).code).toBe(0)
  const lock = JSON.parse(readFileSync(`${tree.path}/project/skills.lock.json`, 'utf8'))
  const registry = await openRegistry({ at: `${tree.path}/registry.db` })
  const names = ['deploy', 'notes']
  expect(await registry.digests(names.map(name => ({ namespace: 'acme', name })))).toEqual(
    names.map(name => lock.skills[name].digest),
  )
  await registry.close()
  expect(readFileSync(`${tree.path}/project/.agents/skills/deploy/scripts/run.sh`, 'utf8')).toContain('echo shipped')
  stop.abort()
  expect((await ended)?.code).toBe(130)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('one source that cannot be read stops no other', async () => {
  const skills = program()
  await skills('registry init')
  const { code, stdout, stderr } = await skills('registry add ../none ../x --namespace acme')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '2 skills published, 0 unchanged, 2 refused\n' })
  expect(stderr).toMatch(/^skills: \.\.\/none is left out: .*\nskills: bad is left out: /)
})

test.each([
  ['registry', /ACTION/],
  ['registry serch x', /has no action "serch".* Did you mean search or serve\?/],
  ['registry search', /Write: skills registry search QUERY…/],
  ['registry gc now', /Write: skills registry gc$/m],
  ['registry add ../x', /Name the namespace/],
  ['registry search x --label 1', /skills registry search has no --label: leave it out/],
  ['registry show notes', /Name a skill as NAMESPACE\/NAME, not "notes"/],
  ['registry serve --port x', /--port needs a number/],
  ['registry serve --host 0.0.0.0', /served to this machine alone, and not at 0\.0\.0\.0/],
  ['registry gc --keep 0', /--keep needs a whole number/],
])('%s is a usage error', async (line, says) => {
  const skills = program()
  await skills('registry init')
  expect(await skills(line)).toMatchObject({ code: 2, stderr: expect.stringMatching(says) })
})
