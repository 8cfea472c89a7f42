import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import {
  agreed,
  commitAll,
  git,
  gitServer,
  machine,
  repository,
  serve,
  skill,
  withoutGit,
  type Machine,
} from '../test/places.js'
import { applyPlan, planAdd, planUpdate } from './index.js'
import type { AddOptions } from './plan.js'
import { ci } from './ci.js'
import { readLock } from './lock.js'
import { verify } from './verify.js'

const files = {
  'skills/deploy/SKILL.md': skill('deploy'),
  'skills/deploy/go.sh': { content: '#!/bin/sh\n', mode: 0o755 },
  'skills/review/SKILL.md': skill('review'),
}

async function add(text: string, options: AddOptions, at: Machine): Promise<void> {
  const plan = agreed(await planAdd(text, options, at))
  await applyPlan(plan, { agreed: plan.digest }, at)
}

const commitOf = (at: Machine, name = 'deploy'): unknown => readLock(at.place.lock)[name]?.resolved

describe.skipIf(withoutGit !== undefined)(
  `a git repository${withoutGit === undefined ? '' : ` (not run: ${withoutGit})`}`,
  () => {
    it('is read over http without a checkout, and pinned to its commit', async () => {
      const at = machine()
      const path = repository(at.tree, 'server/tools.git', files)
      const url = await gitServer(`${at.tree.path}/server`)
      await add(`git+${url}/tools.git/skills#main`, { skills: ['deploy'] }, at)
      expect(readdirSync(at.place.folder)).toEqual(['deploy'])
      expect(readdirSync(`${at.place.folder}/deploy`).toSorted()).toEqual(['SKILL.md', 'go.sh'])
      const first = git(path, 'rev-parse', 'HEAD')
      expect(readLock(at.place.lock)['deploy']).toMatchObject({
        source: `git+${url}/tools.git/skills#main`,
        resolved: { type: 'git', url: `${url}/tools.git`, commit: first },
        path: 'deploy',
        files: { 'go.sh': expect.stringMatching(/ x$/) as string },
      })
      expect(readdirSync(tmpdir()).filter(name => name.startsWith('skills-git.'))).toEqual([])
    })

    it('is read from the address of a page, whose ref the remote tells', async () => {
      const at = machine()
      const path = repository(at.tree, 'server/acme/tools.git', files)
      git(path, 'branch', 'feature/x')
      git(path, 'tag', 'cli/v1')
      const url = await gitServer(`${at.tree.path}/server`)
      const base = `${url}/acme/tools.git`
      for (const [page, source] of [
        ['tree/main/skills', `${base}/skills#main`],
        ['tree/feature/x/skills/deploy', `${base}/skills/deploy#feature/x`],
        ['-/tree/feature/x/skills', `${base}/skills#feature/x`],
        ['blob/main/skills/deploy/SKILL.md', `${base}/skills/deploy#main`],
        ['src/branch/feature/x/skills', `${base}/skills#feature/x`],
        ['src/tag/cli/v1/skills', `${base}/skills#cli/v1`],
        ['tree/feature/x', `${base}#feature/x`],
        ['tree/HEAD/skills', `${base}/skills`],
      ] as const) {
        const plan = agreed(await planAdd(`${url}/acme/tools/${page}`, { skills: ['deploy'] }, at))
        plan.discard()
        expect(plan.skills.map(({ name, locked }) => [name, locked.source, locked.resolved])).toEqual([
          ['deploy', source, { type: 'git', url: base, commit: git(path, 'rev-parse', 'HEAD') }],
        ])
      }
      await expect(planAdd(`${url}/acme/tools/tree/other/skills`, { all: true }, at)).rejects.toMatchObject({
        code: 'E_INSTALL_NOT_FOUND',
        hint: 'It has feature/x, main, cli/v1.',
      })
    })

    it('is found at an address that is no site with an index, and else both are named', async () => {
      const at = machine()
      repository(at.tree, 'server/acme/tools', files)
      const url = await gitServer(`${at.tree.path}/server`)
      const plan = agreed(await planAdd(`${url}/acme/tools/`, { skills: ['deploy'] }, at))
      plan.discard()
      expect(plan.skills[0]?.locked.source).toBe(`git+${url}/acme/tools`)
      await expect(planAdd(`${url}/acme/other`, { all: true }, at)).rejects.toMatchObject({
        code: 'E_INSTALL_NOT_FOUND',
        hint: expect.stringContaining(`write git+${url}/acme/other`) as string,
      })
    })

    it('is not looked for where a site has an index that is not valid', async () => {
      const asked: string[] = []
      const url = await serve((request, response) => {
        asked.push(request.url ?? '')
        response.setHeader('content-type', 'application/json').end('{"skills": 5}')
      })
      await expect(planAdd(`${url}/acme`, { all: true }, machine())).rejects.toMatchObject({ code: 'E_HTTP_INDEX' })
      expect(asked.filter(path => path.includes('info/refs'))).toEqual([])
    })

    it('of which one skill is named behind an @ gives that one', async () => {
      const at = machine({ 'project/acme/tools/SKILL.md': skill('tools') })
      await expect(planAdd('acme/tools@deploy', {}, at)).rejects.toMatchObject({
        code: 'E_INSTALL_SOURCE',
        hint: expect.stringContaining('./acme/tools') as string,
      })
      repository(at.tree, 'server/acme/web', files)
      const url = await gitServer(`${at.tree.path}/server`)
      at.tree.write({ 'home/.gitconfig': `[url "${url}/"]\n\tinsteadOf = https://github.com/\n` })
      repository(at.tree, 'server/acme/web.git', files)
      const plan = agreed(await planAdd('acme/web@review', {}, at))
      plan.discard()
      expect(plan.skills.map(({ name, locked }) => [name, locked.source])).toEqual([['review', 'acme/web']])
    })

    it('whose branch was rewritten, or whose tag was moved, stays what the lock says until it is updated', async () => {
      for (const ref of ['main', 'v1']) {
        const at = machine()
        const path = repository(at.tree, 'server/tools.git', files)
        git(path, 'tag', 'v1')
        git(path, 'config', 'uploadpack.allowReachableSHA1InWant', 'true')
        const url = await gitServer(`${at.tree.path}/server`)
        await add(`git+${url}/tools.git#${ref}`, { skills: ['deploy'] }, at)
        const before = commitOf(at)
        at.tree.write({ 'server/tools.git/skills/deploy/SKILL.md': skill('deploy', 'Other.') })
        git(path, 'branch', 'kept')
        git(path, 'commit', '--quiet', '--amend', '--all', '--message=y')
        git(path, 'tag', '--force', 'v1')
        at.tree.remove('project/.agents', 'home/.cache')
        expect(await ci({}, at)).toMatchObject({ repaired: ['deploy'], differences: [] })
        expect(commitOf(at)).toEqual(before)
        expect(readFileSync(`${at.place.folder}/deploy/SKILL.md`, 'utf8')).toBe(skill('deploy'))
        const plan = await planUpdate(undefined, at)
        expect(plan.skills.map(({ files: changes }) => changes)).toEqual([
          { added: [], changed: ['SKILL.md'], removed: [] },
        ])
        await applyPlan(plan, { agreed: plan.digest }, at)
        expect(commitOf(at)).toMatchObject({ commit: git(path, 'rev-parse', 'HEAD') })
      }
    })

    it('whose commit is gone is named, and nothing changes', async () => {
      const at = machine()
      const path = repository(at.tree, 'server/tools.git', files)
      await add(`file://${path}`, { skills: ['deploy'] }, at)
      git(path, 'checkout', '--quiet', '--orphan', 'new')
      git(path, 'commit', '--quiet', '--message=y')
      git(path, 'branch', '--delete', '--force', 'main')
      git(path, 'reflog', 'expire', '--expire=now', '--all')
      git(path, 'gc', '--quiet', '--prune=now')
      at.tree.remove('project/.agents', 'home/.cache')
      const { repaired, differences } = await ci({}, at)
      expect(repaired).toEqual([])
      expect(differences).toMatchObject([{ skill: 'deploy', kind: 'missing' }])
      expect(existsSync(`${at.place.folder}/deploy`)).toBe(false)
    })

    it('runs nothing: no hook, filter, configured program, submodule, and reads no pointer of LFS', async () => {
      const at = machine()
      const path = repository(at.tree, 'server/tools.git', {
        ...files,
        '.gitattributes': '* filter=evil\n',
        '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% ${at.tree.path}/canary\n`,
        '.lfsconfig': '[lfs]\n\turl = http://127.0.0.1:1/\n',
      })
      const canary = `touch ${at.tree.path}/canary`
      for (const hook of [
        'post-checkout',
        'post-merge',
        'pre-receive',
        'reference-transaction',
        'post-rewrite',
        'fsmonitor-watchman',
      ])
        at.tree.write({ [`server/tools.git/.git/hooks/${hook}`]: { content: `#!/bin/sh\n${canary}\n`, mode: 0o755 } })
      for (const [key, value] of [
        ['filter.evil.smudge', canary],
        ['filter.evil.process', canary],
        ['core.fsmonitor', canary],
        ['core.sshCommand', canary],
        ['core.alternateRefsCommand', canary],
        ['uploadpack.packObjectsHook', canary],
        ['credential.helper', `!${canary}`],
        ['core.pager', canary],
      ] as const)
        git(path, 'config', key, value)
      await add(`file://${path}`, { skills: ['deploy'] }, at)
      const url = await gitServer(`${at.tree.path}/server`)
      await add(`git+${url}/tools.git`, { skills: ['review'] }, at)
      expect(existsSync(`${at.tree.path}/canary`)).toBe(false)
      expect(await verify(at)).toEqual([])
    })

    it('with a submodule, a pointer of LFS or a link out of it has that skill refused by name', async () => {
      const at = machine({ 'home/secret': 'secret' })
      const path = repository(at.tree, 'server/tools.git', {
        'lfs/SKILL.md': skill('lfs'),
        'lfs/data.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
        'out/SKILL.md': skill('out'),
        'out/secret': { link: '../../home/secret' },
        'up/SKILL.md': skill('up'),
        'up/other': { link: '../lfs/SKILL.md' },
        'fine/SKILL.md': skill('fine'),
        'fine/again.md': { link: 'SKILL.md' },
        'sub/SKILL.md': skill('sub'),
      })
      repository(at.tree, 'server/inner.git', files)
      git(path, 'submodule', '--quiet', 'add', `${at.tree.path}/server/inner.git`, 'sub/inner')
      commitAll(path)
      const refused = async (name: string): Promise<string> =>
        planAdd(`file://${path}`, { skills: [name] }, at).then(
          () => 'taken',
          (error: unknown) => String(error),
        )
      expect(await refused('lfs')).toMatch(/"data\.bin" .*LFS/)
      expect(await refused('out')).toMatch(/"secret" .*leads out/)
      // What a link of the same commit leads to is part of it.
      expect(await refused('up')).toBe('taken')
      expect(await refused('sub')).toMatch(/"inner" is a submodule/)
      await add(`file://${path}`, { skills: ['fine'] }, at)
      expect(readFileSync(`${at.place.folder}/fine/again.md`, 'utf8')).toBe(skill('fine'))
    })

    it('gets credentials from git alone, and they stand in no message and no lock', async () => {
      const secret = 's3cret-token'
      const at = machine({
        'home/.gitconfig': `[credential]\n\thelper = "!f() { echo username=ann; echo password=${secret}; }; f"\n[core]\n\thooksPath = ~/no-hooks\n`,
      })
      repository(at.tree, 'server/tools.git', files)
      const url = await gitServer(`${at.tree.path}/server`, `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}`)
      await add(`git+${url}/tools.git`, { skills: ['deploy'] }, at)
      expect(readFileSync(at.place.lock, 'utf8')).not.toContain(secret)
      at.tree.remove('home/.gitconfig')
      const failure = await planAdd(`git+${url}/tools.git`, { skills: ['review'] }, at).catch((error: unknown) =>
        String(error),
      )
      expect(failure).toContain('could not fetch')
      const given = url.replace('http://', `http://ann:${secret}@`)
      const refused = await planAdd(`git+${given}/tools.git`, {}, at).catch((error: unknown) => String(error))
      expect(refused).toContain('password')
      expect(refused).not.toContain(secret)
    })

    it('of a server that sends git elsewhere by another protocol is not followed', async () => {
      const at = machine()
      const url = await serve((_request, response) =>
        response.writeHead(302, { location: `file://${at.tree.path}/x` }).end(),
      )
      await expect(planAdd(`git+${url}/tools.git`, {}, at)).rejects.toMatchObject({ code: 'E_INSTALL_REDIRECT' })
    })

    it('of a server that sends git to another origin is not followed, and no header of the person goes there', async () => {
      const secret = 's3cret-header-value'
      const at = machine()
      repository(at.tree, 'server/tools.git', files)
      const heard: string[] = []
      const real = await gitServer(`${at.tree.path}/server`)
      const other = await serve((request, response) => {
        heard.push(JSON.stringify([request.url, request.headers]))
        response.writeHead(302, { location: `${real}${request.url ?? ''}` }).end()
      })
      const given: string[] = []
      const first = await serve((request, response) => {
        given.push(String(request.headers['x-secret']))
        const [path = ''] = (request.url ?? '').split('?')
        // For a server that only gives files, git would also contact the repository that it borrows objects from.
        if (path.startsWith('/dumb.git/info/refs')) return void response.end(`${'0'.repeat(40)}\trefs/heads/main\n`)
        if (path === '/dumb.git/HEAD') return void response.end('ref: refs/heads/main\n')
        if (path.includes('alternates')) return void response.end(`${other}/tools.git/objects\n`)
        if (path.startsWith('/dumb.git/')) return void response.writeHead(404).end()
        return void response.writeHead(307, { location: `${other}${request.url ?? ''}` }).end()
      })
      at.tree.write({
        'home/.gitconfig': `[http]\n\tfollowRedirects = true\n[http "${first}/"]\n\textraHeader = X-Secret: ${secret}\n\tfollowRedirects = true\n`,
      })
      const error = await planAdd(`git+${first}/tools.git`, {}, at).catch((reason: unknown) => reason)
      expect(error).toMatchObject({
        code: 'E_INSTALL_REDIRECT',
        hint: expect.stringContaining(`git+${other}/tools.git`) as string,
      })
      expect(String(error)).toContain(`redirects to ${other}/tools.git`)
      expect(String(error)).not.toContain(secret)
      await expect(planAdd(`git+${first}/dumb.git`, {}, at)).rejects.toMatchObject({ code: 'E_INSTALL_FAILED' })
      expect(given).toContain(secret)
      expect(heard).toEqual([])
      // The person's own rule sends the given address to the real one.
      at.tree.write({ 'home/.gitconfig': `[url "${real}/"]\n\tinsteadOf = ${first}/\n` })
      await add(`git+${first}/tools.git`, { skills: ['deploy'] }, at)
      expect(commitOf(at)).toMatchObject({ url: `${first}/tools.git` })
    })

    it('of a server that stalls is given up, and leaves nothing behind', async () => {
      const at = machine({}, { idleMs: 1000 })
      const url = await serve(() => undefined)
      const error = await planAdd(`git+${url}/tools.git`, {}, at).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'E_INSTALL_FAILED' })
      expect(readdirSync(tmpdir()).filter(name => name.startsWith(`skills-source.${process.pid}-`))).toEqual([])
    })

    it('that has no such branch, or is not there, is told of', async () => {
      const at = machine()
      const path = repository(at.tree, 'server/tools.git', files)
      await expect(planAdd(`file://${path}#none`, {}, at)).rejects.toMatchObject({ code: 'E_INSTALL_NOT_FOUND' })
      await expect(planAdd(`file://${path}-none`, {}, at)).rejects.toMatchObject({ code: 'E_INSTALL_FAILED' })
    })
  },
)
