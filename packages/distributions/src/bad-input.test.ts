import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createSkills, type Catalog, type Diagnostic } from '@skills/core'
import { loadParser } from '@skills/skill-md'
import { fakeClock, fakeHost, tempTree, type TempTree, type TempTreeEntry } from '@skills/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { standard } from './agents/standard/index.js'

// One project with every fault that a file, a folder, a link or a name can have, and valid skills between them.

const secret = 'the text of a private file'
const rightToLeft = 'dep\u202eloy'
const control = 'dep\u0007loy'
const composed = 'caf\u00e9'
const decomposed = 'cafe\u0301'
const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...'bcdefgh'.split('').map((name, at) => `${name}: &${name} [${`*${'abcdefg'[at]}, `.repeat(9)}x]`),
].join('\n')

const skills: Readonly<Record<string, TempTreeEntry>> = {
  'aa-first/SKILL.md': 'First.',
  'good/SKILL.md': '---\nname: good\ndescription: Good.\n---\nBody.',
  'group/nested/SKILL.md': 'Nested.',
  'zz-last/SKILL.md': 'Last.',
  // Files.
  'unclosed/SKILL.md': '---\nname: unclosed\ndescription: Never ends.\n',
  'empty/SKILL.md': '',
  'binary/SKILL.md': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0, 0, 0, 13, 0xff]),
  'huge/SKILL.md': '---\nname: huge\n---\n',
  'bom/SKILL.md': '\ufeff---\ndescription: Marked.\n---\n',
  'crlf/SKILL.md': '---\r\ndescription: Of Windows.\r\n---\r\n',
  'utf-16/SKILL.md': Buffer.from('\ufeff---\nname: wide\n---\n', 'utf16le'),
  'utf-16-bare/SKILL.md': Buffer.from('---\nname: wide\n---\n', 'utf16le'),
  'latin-1/SKILL.md': Buffer.from('---\ndescription: d\u00e9ployer\n---\n', 'latin1'),
  'tabs/SKILL.md': '---\ndescription: Tabs.\nmetadata:\n\tauthor: Ann\n---\n',
  'twice/SKILL.md': '---\ndescription: Early.\nversion: 1\ndescription: Late.\n---\n',
  'js/SKILL.md': '---js\nglobalThis.badInputRan = true\n---\n',
  'coffee/SKILL.md': '---coffee\nglobalThis.badInputRan = true\n---\n',
  'bomb/SKILL.md': `---\n${bomb}\n---\n`,
  'proto/SKILL.md': '---\ndescription: Polluting.\n__proto__:\n  polluted: yes\nconstructor: x\n---\n',
  'field/SKILL.md': '---\ndescription: Odd.\nuser-invocable: perhaps\n---\n',
  // Links and entries that are not files. Targets of links are above the folder of the skills.
  'link-dangling': { link: 'nowhere' },
  'link-dangling-file/SKILL.md': { link: '../nowhere.md' },
  'link-loop': { link: 'link-loop' },
  'link-up/cycle': { link: '..' },
  'link-private': { link: '../../../private' },
  'link-private-file/SKILL.md': { link: '../../../../private/SKILL.md' },
  'link-good': { link: '../../shared' },
  'pipe/other.md': '',
  'folder/SKILL.md/inner.md': '',
  'closed/SKILL.md': { content: secret, mode: 0 },
  'closed-folder/inner/SKILL.md': secret,
  'closed-folder': { dir: true, mode: 0 },
  // Entries that change while they are read.
  'z-deleted/SKILL.md': 'Deleted.',
  'z-replaced/SKILL.md': 'Replaced.',
  'z-removed/SKILL.md': 'Removed.',
  // Names.
  [`${rightToLeft}/SKILL.md`]: 'Right to left.',
  [`${control}/SKILL.md`]: 'Control.',
  'path/SKILL.md': '---\nname: ../../etc\n---\n',
  'dots/SKILL.md': '---\nname: ..\n---\n',
  'mark/SKILL.md': '---\nname: "good\\u200f"\n---\n',
  'long/SKILL.md': `---\nname: ${'n'.repeat(300)}\n---\n`,
  'Deploy/SKILL.md': 'Upper.',
  'deploy/SKILL.md': 'Lower case.',
  [`${composed}/SKILL.md`]: 'Composed.',
  [`${decomposed}/SKILL.md`]: 'Decomposed, that is.',
}

let tree: TempTree
let root: string
let catalog: Catalog
const told: Diagnostic[] = []

/** Runs `work` without the rights of the superuser, so that file permissions apply. For other users it just runs. */
async function withoutRoot<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.setegid?.(65534)
  process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}

beforeAll(async () => {
  tree = tempTree({
    'private/SKILL.md': secret,
    'repo/.git/HEAD': '',
    'repo/shared/SKILL.md': 'Shared.',
    ...Object.fromEntries(Object.entries(skills).map(([path, entry]) => [`repo/.claude/skills/${path}`, entry])),
  })
  chmodSync(tree.path, 0o755)
  root = `${tree.path}/repo/.claude/skills`
  truncateSync(`${root}/huge/SKILL.md`, 10 * 1024 * 1024)
  execFileSync('mkfifo', [`${root}/pipe/SKILL.md`])
  // A scan asks for the time before each folder. At the second time, the root is listed and nothing in it is read.
  let folders = 0
  const clock = {
    ...fakeClock(),
    now() {
      if (++folders === 2) changeMeanwhile()
      return Date.now() + 60_000
    },
  }
  const host = fakeHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/missing`, uid: process.getuid?.(), clock })
  const engine = createSkills(
    standard({
      host,
      managed: { dirs: [] },
      bundled: false,
      builtin: false,
      onDiagnostic: diagnostic => told.push(diagnostic),
    }),
  )
  // Libraries are loaded here, because later they may not be readable.
  await loadParser()
  catalog = await withoutRoot(() => engine.catalog())
  await engine.close()
})

afterAll(() => tree.dispose())

function changeMeanwhile(): void {
  process.seteuid?.(process.getuid?.() ?? 0)
  rmSync(`${root}/z-deleted/SKILL.md`)
  rmSync(`${root}/z-removed`, { recursive: true })
  writeFileSync(`${root}/z-replaced/SKILL.md`, '---\ndescription: Replaced by something longer.\n---\n')
  if (process.getuid?.() === 0) process.seteuid?.(65534)
}

/** Formats diagnostics of a skill as `code path:line`, with the path relative to the skills folder. */
function reported(diagnostics: readonly Diagnostic[], about: string): readonly string[] {
  return diagnostics
    .filter(({ path }) => path === `${root}/${about}` || path?.startsWith(`${root}/${about}/`) === true)
    .map(({ code, path, line }) => `${code} ${path?.slice(root.length + 1)}${line === undefined ? '' : `:${line}`}`)
}

describe('bad input is an error entry of its own:', () => {
  it.each([
    ['unclosed frontmatter', 'unclosed', 'parse', 'unclosed-frontmatter unclosed/SKILL.md:1'],
    ['a binary file named SKILL.md', 'binary', 'parse', 'binary-file binary/SKILL.md:2'],
    ['an empty file', 'empty', 'parse', 'empty-file empty/SKILL.md:1'],
    ['a file of 10 MB', 'huge', 'validation', 'file-too-large huge/SKILL.md'],
    ['UTF-16 with a byte order mark', 'utf-16', 'parse', 'utf16-file utf-16/SKILL.md:1'],
    ['UTF-16 without one', 'utf-16-bare', 'parse', 'binary-file utf-16-bare/SKILL.md:1'],
    ['Latin-1', 'latin-1', 'parse', 'invalid-utf8 latin-1/SKILL.md:2'],
    ['frontmatter in JavaScript', 'js', 'parse', 'executable-frontmatter js/SKILL.md:1'],
    ['frontmatter in CoffeeScript', 'coffee', 'parse', 'executable-frontmatter coffee/SKILL.md:1'],
    ['a YAML bomb', 'bomb', 'parse', 'alias-bomb bomb/SKILL.md:4'],
    ['a field of a wrong value', 'field', 'validation', 'invalid-boolean field/SKILL.md:3'],
    ['a dangling link to a folder', 'link-dangling', 'io', 'dangling-link link-dangling'],
    ['a dangling link to a file', 'link-dangling-file', 'io', 'dangling-link link-dangling-file/SKILL.md'],
    ['a link that leads to itself', 'link-loop', 'io', 'unreadable link-loop'],
    ['a link to a private folder', 'link-private', 'traversal', 'link-escapes link-private'],
    ['a link to a private file', 'link-private-file', 'traversal', 'link-escapes link-private-file/SKILL.md'],
    ['a named pipe called SKILL.md', 'pipe', 'io', 'not-a-file pipe/SKILL.md'],
    ['a folder called SKILL.md', 'folder', 'io', 'not-a-file folder/SKILL.md'],
    ['an unreadable file', 'closed', 'io', 'unreadable closed/SKILL.md'],
    ['an unreadable folder', 'closed-folder', 'io', 'unreadable closed-folder'],
    ["a right-to-left override in a folder's name", rightToLeft, 'validation', `unsafe-name ${rightToLeft}/SKILL.md`],
    ["a control character in a folder's name", control, 'validation', `unsafe-name ${control}/SKILL.md`],
  ])('%s', (_what, name, type, expected) => {
    expect(reported(catalog.errors, name)).toEqual([expected])
    const error = catalog.errors.find(one => one.name === name)
    expect(error).toMatchObject({
      severity: 'error',
      type,
      provider: 'project',
      message: expect.stringMatching(/^\S.*\.$/s),
    })
    expect(catalog.get(name)).toBeUndefined()
  })

  it('and there is no other error', () => {
    expect(catalog.errors).toHaveLength(22)
  })
})

describe('input that can be read all the same is a warning at most:', () => {
  it.each([
    ['a byte order mark', 'bom', 'Marked.', []],
    ['CRLF', 'crlf', 'Of Windows.', []],
    ['tabs', 'tabs', 'Tabs.', ['tab-indentation tabs/SKILL.md:4']],
    ['a key given twice', 'twice', 'Late.', ['duplicate-key twice/SKILL.md:4']],
    [
      'keys that reach a prototype',
      'proto',
      'Polluting.',
      ['unsafe-key proto/SKILL.md:3', 'unsafe-key proto/SKILL.md:5'],
    ],
    ['a name with slashes', 'path', 'path', ['unsafe-name path/SKILL.md:2']],
    ['a name of dots', 'dots', 'dots', ['unsafe-name dots/SKILL.md:2']],
    ['a name with a right-to-left mark', 'mark', 'mark', ['unsafe-name mark/SKILL.md:2']],
    ['a name of 300 characters', 'long', 'long', ['name-too-long long/SKILL.md:2']],
    ['a file replaced during the scan', 'z-replaced', 'Replaced by something longer.', []],
  ])('%s', (_what, name, description, expected) => {
    expect(reported(catalog.warnings, name)).toEqual(expected)
    expect(catalog.get(name)?.command).toMatchObject({ name, description })
  })

  it('a link back to a folder above it', () => {
    expect(reported(catalog.warnings, 'link-up')).toEqual(['link-cycle link-up/cycle'])
  })

  it('names that could be paths or other names are not taken over, a long one is', () => {
    expect(['path', 'dots', 'mark'].map(name => catalog.get(name)?.command.displayName)).toEqual([
      'path',
      'dots',
      'mark',
    ])
    expect(catalog.get('long')?.command.displayName).toHaveLength(300)
  })

  it('names that differ in case alone are two skills', () => {
    expect([catalog.get('Deploy'), catalog.get('deploy')].map(entry => entry?.command.description)).toEqual([
      'Upper.',
      'Lower case.',
    ])
    expect(catalog.warnings.filter(({ code }) => code === 'case-collision')).toHaveLength(1)
  })

  it('names that differ in how Unicode writes them are one name: the first has it, the other a qualified one', () => {
    expect([composed, decomposed, `project:${composed}`].map(name => catalog.get(name)?.command.description)).toEqual([
      'Decomposed, that is.',
      'Decomposed, that is.',
      'Composed.',
    ])
    expect(catalog.collisions).toMatchObject([{ rule: 'precedence', reachableAs: `project:${composed}` }])
    expect(catalog.warnings.filter(({ code }) => code === 'same-name')).toMatchObject([
      {
        name: composed,
        path: `${root}/${composed}/SKILL.md`,
        message: String.raw`"caf\u00e9" and "cafe\u0301" look alike and are treated as one name.`,
        hint: 'Rename one of the two commands.',
      },
    ])
  })
})

describe('bad input', () => {
  it('hides no other skill', () => {
    expect(catalog.entries.map(({ name }) => name).toSorted()).toEqual([
      'Deploy',
      'aa-first',
      'bom',
      composed,
      'crlf',
      'deploy',
      'dots',
      'good',
      'link-good',
      'long',
      'mark',
      'nested',
      'path',
      `project:${composed}`,
      'proto',
      'tabs',
      'twice',
      'z-replaced',
      'zz-last',
    ])
  })

  it('that is deleted during the scan is as if it had never been', () => {
    for (const name of ['z-deleted', 'z-removed'])
      expect([...reported(catalog.errors, name), ...reported(catalog.warnings, name)]).toEqual([])
  })

  it('never runs, and pollutes no prototype', () => {
    expect(Object.hasOwn(globalThis, 'badInputRan')).toBe(false)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(catalog.get('proto')?.command).not.toHaveProperty('polluted')
  })

  it('gives nothing away of a private file', () => {
    expect(
      JSON.stringify([
        catalog.entries,
        catalog.disabled,
        catalog.collisions,
        catalog.errors,
        catalog.warnings,
        catalog.places,
        told,
      ]),
    ).not.toContain(secret)
  })

  it('is told of once each', () => {
    expect(told.filter(({ severity }) => severity === 'error')).toEqual(catalog.errors)
    expect(new Set(told.map(one => JSON.stringify(one))).size).toBe(told.length)
  })
})
