import { describe, expect, onTestFinished, test } from 'vitest'
import { execFileSync } from 'node:child_process'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { lintFiles, type LintOptions } from './lint-files.js'

let tree: TempTree

/** Makes a tree that is removed at the end of the test; some tests make several. */
function temporary(entries: TreeEntries): TempTree {
  const made = tempTree(entries)
  onTestFinished(() => made.dispose())
  return made
}

async function lint(entries: TreeEntries, options: LintOptions = {}) {
  tree = temporary(entries)
  return lintFiles(
    Object.keys(entries).map(path => `${tree.path}/${path}`),
    options,
  )
}

/** Returns code and place of the findings for one file with this content. */
async function codes(
  content: string | Uint8Array,
  options: LintOptions = {},
  path = 'greet/SKILL.md',
): Promise<readonly string[]> {
  const { files } = await lint({ [path]: content }, options)
  return files
    .flatMap(({ diagnostics }) => diagnostics)
    .map(({ severity, code, line, column }) => `${severity} ${code} ${line ?? '-'}:${column ?? '-'}`)
}

const sound = '---\nname: greet\ndescription: Use when greeting.\n---\nGreet.\n'

describe('a file', () => {
  test('that is sound has no findings', async () => {
    expect(await codes(sound)).toEqual([])
    expect(await codes(sound, { standard: true })).toEqual([])
  })

  test('whose frontmatter needs repair is warned with the place', async () => {
    expect(await codes('---\ndescription: Use it: now\n---\nx')).toEqual(['warning unquoted-text 2:14'])
  })

  test('whose frontmatter cannot be read is an error with the place', async () => {
    expect(await codes('---\ndescription: x\nBody')).toEqual(['error unclosed-frontmatter 1:1'])
    expect(await codes('')).toEqual(['error empty-file 1:1'])
  })

  test('has every wrong field reported at its value, a wrong key at the key, in order of line', async () => {
    const found = await codes(
      '---\nuser-invocable: maybe\ndescription: x\nbackground: perhaps\nuser-invokable: no\n---\nx',
    )
    expect(found).toEqual(['error invalid-boolean 2:17', 'error invalid-boolean 4:13', 'warning misspelt-field 5:1'])
  })

  test('is checked to its end: NUL and broken UTF-8 in the body are errors', async () => {
    expect(await codes(`${sound}a\0b`)).toEqual(['error binary-file 6:1'])
    expect(await codes(Buffer.concat([Buffer.from(sound), Buffer.from([0xc3, 0x28])]))).toEqual([
      'error invalid-utf8 6:1',
    ])
  })

  test('over one MiB is an error', async () => {
    expect(await codes(sound + 'x'.repeat(1024 * 1024))).toEqual(['error file-too-large -:-'])
  })

  test('with nothing to say, or with too much, is warned', async () => {
    expect(await codes('---\nname: greet\n---\n')).toEqual(['warning no-description 1:1', 'warning empty-body 4:1'])
    expect(await codes(sound + 'x'.repeat(15_000))).toEqual(['warning body-too-long 5:1'])
    expect(await codes(sound + 'x'.repeat(100), { bodyChars: 50 })).toEqual(['warning body-too-long 5:1'])
    expect(await codes('---\ndisable-model-invocation: true\n---\nOnly for people.')).toEqual([])
  })

  test('that lies or is called otherwise than loaders expect is reported', async () => {
    expect(await codes(sound, {}, 'greet/skill.md')).toEqual(['warning other-case -:-'])
    expect(await codes(sound, {}, '.claude/skills/SKILL.md')).toEqual(['warning skill-at-root -:-'])
    expect(await codes(sound, {}, 'gre\u202eet/SKILL.md')).toEqual(['error unsafe-name -:-'])
    expect(await codes(sound, {}, 'gre\u00adet/SKILL.md')).toEqual(['error unsafe-name -:-'])
  })

  test('that is a legacy command need not be called otherwise, nor be named like its folder', async () => {
    const command = '---\ndescription: x\nmodel: fast\n---\nx'
    for (const path of ['.claude/commands/push.md', 'commands/a/myskill.md', 'gre\u202eet/PUSH.MD'])
      expect(await codes(command, { standard: true }, path)).toEqual([])
    for (const name of ['skill.md', 'Skill.MD'])
      expect(await codes(sound, { standard: true }, `greet/${name}`)).toEqual(['warning other-case -:-'])
    expect(await codes('---\nuser-invocable: maybe\ndescription: x\n---\nx', {}, '.claude/commands/push.md')).toEqual([
      'error invalid-boolean 2:17',
    ])
  })

  test('is held to the rules of the standard only when asked', async () => {
    const skill = '---\nname: Greet\ndescription: x\nmodel: fast\n---\nx'
    expect(await codes(skill)).toEqual([])
    expect(await codes(skill, { standard: true })).toEqual([
      'error standard-name-case 2:7',
      'error standard-name-folder 2:7',
      'info standard-unknown-key 4:1',
    ])
  })

  test('that is long is advice by the standard, not a warning', async () => {
    const { files, counts } = await lint({ 'greet/SKILL.md': sound + 'x\n'.repeat(501) }, { standard: true })
    expect(files[0]?.diagnostics.map(({ code }) => code)).toEqual(['standard-body-long'])
    expect(counts).toEqual({ files: 1, errors: 0, warnings: 0, infos: 1, fixedFiles: 0 })
  })
})

describe('what is no regular file', () => {
  test('is an error and never opened', async () => {
    tree = temporary({ pipe: { dir: true }, 'folder/SKILL.md': { dir: true }, 'gone/SKILL.md': { link: 'nowhere' } })
    execFileSync('mkfifo', [`${tree.path}/pipe/SKILL.md`])
    const { files } = await lintFiles(['pipe', 'folder', 'gone', 'absent'].map(name => `${tree.path}/${name}/SKILL.md`))
    expect(files.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([
      ['not-a-file'],
      ['not-a-file'],
      ['dangling-link'],
      ['no-such-path'],
    ])
    for (const { diagnostics } of files) expect(diagnostics[0]?.hint).toBeTruthy()
  })
})

describe('a run', () => {
  test('gives files in the order they were named, and tells how far it is', async () => {
    const entries = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`skill-${at}/SKILL.md`, sound]))
    const told: string[] = []
    const { files, counts } = await lint(entries, { onProgress: (done, total) => told.push(`${done}/${total}`) })
    expect(files.map(({ path }) => path)).toEqual(Object.keys(entries).map(path => `${tree.path}/${path}`))
    expect(counts.files).toBe(50)
    expect(told).toHaveLength(50)
    expect(told.at(-1)).toBe('50/50')
  })

  test('ends with an AbortError when its signal aborts', async () => {
    const entries = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`skill-${at}/SKILL.md`, sound]))
    const controller = new AbortController()
    const run = lint(entries, { signal: controller.signal, onProgress: () => controller.abort() })
    await expect(run).rejects.toMatchObject({ name: 'AbortError' })
  })
})
