import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync, type Zippable } from 'fflate'
import { tempTree } from '@skills/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { tarOf, type TarEntry } from '../test/archives.js'
import { agreed, machine, serve, skill, type Machine } from '../test/places.js'
import { applyPlan, planAdd } from './index.js'
import { largeLimits } from './skill-files.js'
import { ci } from './ci.js'
import { readLock } from './lock.js'
import { verify } from './verify.js'

function zip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const given: Zippable = {}
  for (const [path, content] of Object.entries(files))
    given[path] = typeof content === 'string' ? strToU8(content) : content
  return Buffer.from(zipSync(given))
}

const tgz = (...entries: readonly TarEntry[]): Buffer => gzipSync(tarOf(...entries))

const outside = tempTree()
afterAll(() => outside.dispose())
/** File that an archive writes if it escapes. */
const canary = `${outside.path}/canary`

const file = { path: 'deploy/SKILL.md', content: skill('deploy') }

async function outcome(at: Machine, name: string, bytes: Buffer): Promise<string> {
  at.tree.write({ [`project/${name}`]: bytes })
  try {
    const plan = agreed(await planAdd(`./${name}`, { all: true }, at))
    await applyPlan(plan, { agreed: plan.digest }, at)
    return 'installed'
  } catch (error) {
    return String(error)
  }
}

describe('an archive', () => {
  it('is installed from its path and from its URL, pinned to its digest', async () => {
    const at = machine({ 'project/x.skill': zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/a/b.md': 'b' }) })
    const tar = tgz({ path: 'review/SKILL.md', content: skill('review') })
    let served = tar
    const url = await serve((_request, response) => response.end(served))
    for (const text of ['./x.skill', `${url}/x.tgz`]) {
      const plan = agreed(await planAdd(text, {}, at))
      await applyPlan(plan, { agreed: plan.digest }, at)
    }
    const lock = readLock(at.place.lock)
    expect(lock['deploy']?.resolved).toMatchObject({ type: 'archive', at: './x.skill' })
    expect(lock['review']?.resolved).toMatchObject({
      type: 'archive',
      at: `${url}/x.tgz`,
      digest: expect.stringMatching(/^sha256:/) as string,
    })
    expect(readFileSync(`${at.place.folder}/deploy/a/b.md`, 'utf8')).toBe('b')
    at.tree.remove('project/.agents', 'home/.cache')
    served = tgz({ path: 'review/SKILL.md', content: skill('review', 'Other.') })
    const { differences } = await ci({}, at)
    expect(differences).toMatchObject([
      { skill: 'review', message: expect.stringContaining('archive in the lock') as string },
    ])
    served = tar
    expect(await ci({}, at)).toEqual({ repaired: ['deploy', 'review'], differences: [] })
    expect(await verify(at)).toEqual([])
  })

  it.each<readonly [what: string, bytes: Buffer, why: RegExp]>([
    ['that leads out', tgz(file, { path: 'deploy/../../../canary', content: 'x' }), /leads out of its folder/],
    ['with an absolute name', tgz(file, { path: canary, content: 'x' }), /is absolute/],
    ['with a drive', tgz(file, { path: 'C:/canary', content: 'x' }), /is absolute/],
    ['with a backslash', zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy\\..\\canary': 'x' }), /has a backslash/],
    [
      'with a link out of it',
      tgz(file, { path: 'deploy/out', type: 'SymbolicLink', to: '../../../canary' }),
      /"out" is a link that leads out/,
    ],
    [
      'with an absolute link',
      tgz(file, { path: 'deploy/out', type: 'SymbolicLink', to: '/etc/passwd' }),
      /"out" is a link that leads out/,
    ],
    [
      'that writes through a link',
      tgz(
        file,
        { path: 'deploy/x', type: 'SymbolicLink', to: outside.path },
        { path: 'deploy/x/canary', content: 'x' },
      ),
      /deploy\/x/,
    ],
    [
      'with a hard link out of it',
      tgz(file, { path: 'deploy/out', type: 'Link', to: '/etc/passwd' }),
      /absolute|hard link/,
    ],
    ['with a device', tgz(file, { path: 'deploy/dev', type: 'CharacterDevice' }), /"dev" is a device or a pipe/],
    ['with a pipe', tgz(file, { path: 'deploy/pipe', type: 'FIFO' }), /"pipe" is a device or a pipe/],
    [
      'with the name of a device',
      zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/aux.md': 'x' }),
      /"aux\.md" is the name of a device/,
    ],
    [
      'with a name that ends with a dot',
      zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/a.': 'x' }),
      /"a\." ends with a dot/,
    ],
    [
      'with a stream of NTFS',
      zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/a:b': 'x' }),
      /has a character that some systems do not allow in names/,
    ],
    [
      'with hooks of git',
      zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/.git/hooks/post-checkout': 'x' }),
      /"\.git" is a name that git uses/,
    ],
    [
      'with a name that is seen otherwise',
      zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/a\u202efdp.sh': 'x' }),
      /invisible/,
    ],
    [
      'with twins by letter case',
      zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/a': 'x', 'deploy/A': 'y' }),
      /both|twice/,
    ],
    [
      'with twins by composition',
      zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/\u00e9': 'x', 'deploy/e\u0301': 'y' }),
      /both|twice/,
    ],
    ...(
      [
        ['a long s', 'a/\u017f', 'a/s'],
        ['a sharp s', 'ma\u00dfe', 'MASSE'],
        ['a sign of Kelvin', '\u212a', 'k'],
        ['a ligature', '\ufb01', 'fi'],
      ] as const
    ).map(
      ([what, one, other]) =>
        [
          `with twins by ${what}`,
          zip({ 'deploy/SKILL.md': skill('deploy'), [`deploy/${one}`]: 'x', [`deploy/${other}`]: 'y' }),
          /both|twice/,
        ] as const,
    ),
    ...['\u200b', '\u2066', '\u{e0041}', '\u{e0101}', '\ufe0f', '\u00ad', '\u3164'].map(
      hidden =>
        [
          `with the unseen ${(hidden.codePointAt(0) ?? 0).toString(16)} in a name`,
          zip({ 'deploy/SKILL.md': skill('deploy'), [`deploy/a${hidden}b.md`]: 'x' }),
          /invisible/,
        ] as const,
    ),
    [
      'with hooks of git by letters that fold',
      zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/.g\u0131t/hooks/x': 'x' }),
      /is a name that git uses/,
    ],
    ['with one file twice', tgz(file, file), /twice/],
    [
      'that unpacks to a thousand times its size',
      zip({ 'deploy/SKILL.md': skill('deploy'), 'deploy/zero': new Uint8Array(8 * 1024 * 1024) }),
      /E_ARCHIVE|times|unpacks/,
    ],
    ['that is damaged', zip({ 'deploy/SKILL.md': skill('deploy') }).subarray(0, 60), /sound|damaged|archive/],
    ['that is none', Buffer.from('not an archive'), /neither a zip nor a tar/],
  ])('%s is refused by name', async (_what, bytes, why) => {
    const at = machine()
    const said = await outcome(at, 'x.zip', bytes)
    expect(said).toMatch(why)
    expect([existsSync(canary), existsSync(`${at.tree.path}/canary`), existsSync(at.place.lock)]).toEqual([
      false,
      false,
      false,
    ])
    expect(existsSync(at.place.folder) ? readdirSync(at.place.folder) : []).toEqual([])
  })

  it('of more files or bytes than usual needs to be allowed', async () => {
    const many = Object.fromEntries(Array.from({ length: 512 }, (_, number) => [`deploy/${number}.md`, 'x']))
    const random = createHash('shake256', { outputLength: 16 * 1024 * 1024 })
      .update('x')
      .digest()
    const few = { 'deploy/a.md': 'x', 'deploy/b.md': 'x'.repeat(1000) }
    for (const [files, why, given] of [
      [many, /more than 512 files/, {}],
      [{ 'deploy/large.bin': random }, /more than 16777216 bytes/, {}],
      [few, /more than 2 files/, { limits: { files: 2, bytes: 9999 } }],
      [few, /more than 1000 bytes/, { limits: { files: 3, bytes: 1000 } }],
    ] as const) {
      const bytes = zip({ 'deploy/SKILL.md': skill('deploy'), ...files })
      const at = machine()
      const said = await outcome({ ...at, ...given }, 'x.zip', bytes)
      expect(said).toMatch(why)
      expect(said).toContain('--allow-large')
    }
    const bytes = zip({ 'deploy/SKILL.md': skill('deploy'), ...few })
    expect(await outcome({ ...machine(), limits: { files: 3, bytes: 9999 } }, 'x.zip', bytes)).toBe('installed')
    expect(largeLimits).toEqual({ files: 20_000, bytes: 256 * 1024 * 1024 })
  })
})
