import { messageOf } from '@skills/core'
import { ContractError } from '../contract/contract-case.js'
import { sameIdentity, shown, type StoreRule } from './store-trial.js'

const linked = {
  'shared/deploy/SKILL.md': 'Shared.',
  'skills/deploy': { link: '../shared/deploy' },
  'skills/again': { link: 'deploy' },
  'skills/file.md': { link: '../shared/deploy/SKILL.md' },
  'skills/own/SKILL.md': 'Own.',
}

/** Rules for the targets of links, and for keeping every name inside the store. */
export const linkRules: readonly StoreRule[] = [
  {
    name: 'links',
    rule: 'a link is listed, read and stated as a link, and its real path is that of what it leads to, through folders and other links',
    needs: ['links'],
    async check(trial) {
      const opened = await trial.open(linked)
      const listed = await opened.list('skills')
      trial.expectNames('list("skills") has the links', listed?.links ?? [], ['again', 'deploy', 'file.md'])
      trial.expectNames('list("skills") has the folders', listed?.folders ?? [], ['own'])
      for (const path of ['skills/deploy', 'skills/file.md']) {
        const { kind } = await trial.stats(opened, path)
        const found = (await opened.read(path))?.found
        if (kind !== 'link' || found !== 'link')
          trial.broken(`stat(${shown(path)}) says that a link is a ${kind}, and read() says ${String(found)}.`)
      }
      const file = opened.at('shared/deploy/SKILL.md')
      for (const path of [
        'skills/deploy/SKILL.md',
        'skills/again/SKILL.md',
        'skills/file.md',
        'shared/deploy/SKILL.md',
      ]) {
        const real = await opened.realPath(path)
        if (real !== file) trial.broken(`realPath(${shown(path)}) is ${JSON.stringify(real)} instead of ${file}.`)
      }
    },
  },
  {
    name: 'links-on-the-way',
    rule: 'a file is read and listed by a path that has links on the way, and is one file with that of its real path',
    needs: ['links'],
    async check(trial) {
      const opened = await trial.open(linked)
      trial.expectBytes(
        'skills/again/SKILL.md',
        await trial.bytes(opened, 'skills/again/SKILL.md'),
        Buffer.from('Shared.'),
      )
      trial.expectNames('list("skills/again") has the files', (await opened.list('skills/again'))?.files ?? [], [
        'SKILL.md',
      ])
      const [one, other] = [
        await trial.stats(opened, 'skills/again/SKILL.md'),
        await trial.stats(opened, 'shared/deploy/SKILL.md'),
      ]
      const [real, same] = [one, other].map(stats => ({ ...stats, identity: { ...stats.identity, realPath: '' } }))
      if (real === undefined || same === undefined || !sameIdentity(real, same))
        trial.broken('stat() gives one file two identities by its two paths.')
    },
  },
  {
    name: 'links-nowhere',
    rule: 'a link that leads to nothing has no real path',
    needs: ['links'],
    async check(trial) {
      const opened = await trial.open({
        'a/dangling': { link: '../b' },
        'a/through': { link: 'file/x' },
        'a/file': 'A file.',
      })
      for (const path of ['a/dangling', 'a/through']) {
        const real = await opened.realPath(path)
        if (real !== undefined) trial.broken(`realPath(${shown(path)}), which leads to nothing, is ${real}.`)
        if ((await trial.stats(opened, path)).kind !== 'link')
          trial.broken(`stat(${shown(path)}) of a link that leads to nothing is no link.`)
      }
    },
  },
  {
    name: 'link-cycle',
    rule: 'links that lead in a cycle end with an error of the code ELOOP',
    needs: ['links'],
    async check(trial) {
      const opened = await trial.open({ a: { link: 'b' }, b: { link: 'a' }, 'self/down': { link: '.' } })
      const outcome = await trial.ended('realPath("a")', async () =>
        opened.store.realPath?.(opened.at('a'), { signal: new AbortController().signal }),
      )
      if ('value' in outcome)
        return trial.broken(
          `realPath() of a cycle is ${JSON.stringify(outcome.value)} instead of an error with the code ELOOP.`,
        )
      const { error } = outcome
      if (!(error instanceof Error && 'code' in error && error.code === 'ELOOP'))
        trial.broken(`realPath() of a cycle failed without the code ELOOP: ${messageOf(error)}`, error)
      const down = await opened.realPath('self/down/down/down')
      if (down !== opened.at('self'))
        trial.broken(`realPath("self/down/down/down") is ${JSON.stringify(down)} instead of ${opened.at('self')}.`)
    },
  },
  {
    name: 'contained',
    rule: 'neither a path nor a link leads out of the store',
    needs: ['contained'],
    async check(trial) {
      const opened = await trial.open({ 'a/SKILL.md': 'Inside.', 'b/SKILL.md': 'Beside.' })
      const { store, at } = opened
      const call = { signal: new AbortController().signal, maxBytes: 10_000 }
      for (const path of [
        at('..'),
        at('../a'),
        at('a/../../..'),
        at('a/SKILL.md\0'),
        at('a\0/SKILL.md'),
        '/etc/passwd',
        '/',
        '',
        `${at('a')}x`,
        `${at('')}x/a/SKILL.md`,
      ]) {
        await trial.expectAbsent(`list(${shown(path)})`, () => store.list(path, call))
        await trial.expectAbsent(`read(${shown(path)})`, () => store.read(path, call))
        await trial.expectAbsent(`stat(${shown(path)})`, () => store.stat(path, call))
      }
    },
  },
  {
    name: 'links-contained',
    rule: 'a link that leads out of the store leads to nothing',
    needs: ['contained', 'links'],
    async check(trial) {
      const opened = await trial.open({
        'a/up': { link: '../../..' },
        'a/file': { link: '../../etc/passwd' },
        'a/absolute': { link: '/etc/passwd' },
        'a/root': { link: '/' },
        'a/SKILL.md': 'Inside.',
      })
      for (const path of ['a/up', 'a/file', 'a/absolute', 'a/root', 'a/up/etc', 'a/root/etc/passwd']) {
        await trial.expectAbsent(`realPath(${shown(path)})`, () =>
          opened.store.realPath?.(opened.at(path), { signal: new AbortController().signal }),
        )
      }
      for (const path of ['a/up/etc/passwd', 'a/root/etc/passwd'])
        await trial.expectAbsent(`read(${shown(path)})`, () =>
          opened.store.read(opened.at(path), { signal: new AbortController().signal, maxBytes: 10_000 }),
        )
    },
  },
  {
    name: 'hostile-names',
    rule: 'entries whose names lead elsewhere, or are none, never stand in the store under another name; all of the place may be refused for them',
    needs: ['hostileNames'],
    async check(trial) {
      for (const name of [
        '../escape.md',
        '/absolute.md',
        'a/../../escape.md',
        'a/./b/../c.md',
        'a//b.md',
        'nul\0.md',
        './dot.md',
      ]) {
        const fixture = await trial.ended(`make() with an entry ${shown(name)}`, async () =>
          trial.open({ [name]: 'Hostile.', 'sound/SKILL.md': 'Sound.' }),
        )
        // If the place cannot hold this entry, no store has to refuse it.
        if ('error' in fixture) continue
        const opened = fixture.value
        const found: string[] = []
        const outcome = await trial.ended('a walk', async () => walk(opened.root))
        if ('error' in outcome && !(outcome.error instanceof ContractError)) continue
        if ('error' in outcome) throw outcome.error
        // A reader may normalise `a//b.md` and `./dot.md`, and drop the others.
        const meant = new Set(['sound/SKILL.md', 'a/b.md', 'dot.md'].map(opened.at))
        const stray = found.find(path => !meant.has(path))
        if (stray !== undefined) trial.broken(`with an entry ${shown(name)} a walk found ${shown(stray)}.`)
        async function walk(folder: string): Promise<void> {
          if (folder.split('/').length > 20) trial.broken('a walk has no end: a folder is in itself.')
          const call = { signal: new AbortController().signal }
          const listed = await opened.store.list(folder, call)
          found.push(...(listed?.files ?? []).map(file => `${folder}/${file}`))
          for (const one of listed?.folders ?? []) await walk(`${folder}/${one}`)
        }
      }
    },
  },
]
