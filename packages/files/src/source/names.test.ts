import { describe, expect, it } from 'vitest'
import { loaded, namesOf, onlyCommand, shortly } from '../../test/load.js'

// Characters that a name must not contain, each in the middle of one.
const unsafe: readonly (readonly [what: string, character: string, code: string])[] = [
  ['a line feed', '\n', 'U+000A'],
  ['an escape', '\u001b', 'U+001B'],
  ['delete', '\u007f', 'U+007F'],
  ['a C1 control', '\u0085', 'U+0085'],
  ['a soft hyphen', '\u00ad', 'U+00AD'],
  ['a right-to-left mark', '\u200f', 'U+200F'],
  ['a right-to-left override', '\u202e', 'U+202E'],
  ['an isolate', '\u2067', 'U+2067'],
  ['an Arabic letter mark', '\u061c', 'U+061C'],
  ['a zero-width space', '\u200b', 'U+200B'],
  ['a zero-width joiner', '\u200d', 'U+200D'],
  ['a word joiner', '\u2060', 'U+2060'],
  ['a line separator', '\u2028', 'U+2028'],
  ['a byte order mark', '\ufeff', 'U+FEFF'],
  ['a Hangul filler', '\u3164', 'U+3164'],
  ['a blank Braille pattern', '\u2800', 'U+2800'],
  ['a tag', '\u{e0041}', 'U+E0041'],
  ['a variation selector of the supplement', '\u{e0100}', 'U+E0100'],
]

describe('a character that hides', () => {
  it.each(unsafe)('keeps a skill from loading when its folder has it: %s', async (_what, character, code) => {
    const name = `dep${character}loy`
    const result = await loaded({ [`${name}/SKILL.md`]: '---\nname: deploy\n---\n', 'good/SKILL.md': 'good' })
    expect(namesOf(result)).toEqual(['good'])
    expect(result.errors).toEqual([
      expect.objectContaining({
        type: 'validation',
        code: 'unsafe-name',
        name,
        path: `${result.path}/${name}/SKILL.md`,
        message: expect.stringContaining(`"dep<${code}>loy"`) as string,
      }),
    ])
  })

  const written = unsafe.filter(([, character]) => !['\n', '\u0085'].includes(character))

  it.each(written)('is not taken over from the name in the file: %s', async (_what, character, code) => {
    const result = await loaded({
      'ship/SKILL.md': Buffer.from(`---\ndescription: Text.\nname: "dep${escaped(character)}loy"\n---\n`),
    })
    expect(onlyCommand(result)).toMatchObject({ name: 'ship', displayName: 'ship' })
    expect(shortly(result.warnings, result.path)).toEqual(['unsafe-name ship/SKILL.md:3:7'])
    expect(result.warnings[0]).toMatchObject({ field: 'name', message: expect.stringContaining(`"dep<${code}>loy"`) })
  })
})

/** Returns a character as a YAML escape. */
function escaped(character: string): string {
  return `\\U${character.codePointAt(0)?.toString(16).padStart(8, '0')}`
}

describe('a name that an author gave', () => {
  it.each(['../escape', '..', '.', 'a/b', '/etc/passwd', 'a\\b', 'C:\\Windows'])(
    'is not taken over when it could be a path: %s',
    async name => {
      const result = await loaded({ 'ship/SKILL.md': `---\nname: '${name}'\n---\n` })
      expect(onlyCommand(result)).toMatchObject({ name: 'ship', displayName: 'ship' })
      expect(shortly(result.warnings, result.path)).toEqual(['unsafe-name ship/SKILL.md:2:7'])
      expect(result.warnings[0]?.message).toContain(' path')
    },
  )

  it('of 300 characters is kept, with a warning', async () => {
    const name = 'n'.repeat(300)
    const result = await loaded({ 'ship/SKILL.md': `---\nname: ${name}\n---\n` })
    expect(onlyCommand(result)).toMatchObject({ name: 'ship', displayName: name })
    expect(shortly(result.warnings, result.path)).toEqual(['name-too-long ship/SKILL.md:2:7'])
  })

  it('of 300 characters is an error where the layout says so, and hides nothing else', async () => {
    const result = await loaded(
      { 'ship/SKILL.md': `---\nname: ${'n'.repeat(300)}\n---\n`, 'good/SKILL.md': 'good' },
      { layout: { fields: { limitSeverity: 'error' } } },
    )
    expect(namesOf(result)).toEqual(['good'])
    expect(shortly(result.errors, result.path)).toEqual(['name-too-long ship/SKILL.md:2:7'])
  })

  it("may differ from the folder's, which stays the key", async () => {
    const result = await loaded({ 'ship/SKILL.md': '---\nname: Ship It!\n---\n' })
    expect(onlyCommand(result)).toMatchObject({ name: 'ship', displayName: 'Ship It!' })
    expect(result.warnings).toEqual([])
  })

  it('is used as an alias only when it is a plain name, each on its own', async () => {
    const result = await loaded({ 'ship/SKILL.md': '---\naliases: [deploy, "../x", "re\\u200blease", go]\n---\n' })
    expect(onlyCommand(result).aliases).toEqual(['deploy', 'go'])
    expect(shortly(result.warnings, result.path)).toEqual([
      'unsafe-name ship/SKILL.md:2:10',
      'unsafe-name ship/SKILL.md:2:10',
    ])
    expect(result.warnings.map(({ message }) => message)).toEqual([
      'The alias "../x" is not a name but a path; the alias is not used.',
      'The alias "re<U+200B>lease" holds the invisible character U+200B; the alias is not used.',
    ])
  })
})

describe('the name of a folder', () => {
  it('may have as many bytes as the file system takes', async () => {
    const name = 'n'.repeat(255)
    expect(namesOf(await loaded({ [`${name}/SKILL.md`]: 'text' }))).toEqual([name])
  })

  it('may be in any script and have spaces', async () => {
    const names = ['a b', 'развёртывание', '部署', '🚀']
    expect(namesOf(await loaded(Object.fromEntries(names.map(name => [`${name}/SKILL.md`, 'text']))))).toEqual(
      names.toSorted(),
    )
  })
})
