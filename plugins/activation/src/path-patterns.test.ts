import fc from 'fast-check'
import { IgnoreRules } from '@skills/files'
import { describe, expect, it } from 'vitest'
import { expandBraces } from './expand-braces.js'
import { readPatterns } from './path-patterns.js'

/** Returns why each pattern never matches, by pattern. */
function flaws(...paths: string[]) {
  return readPatterns(paths).problems.map(({ pattern, type, why }) => `${pattern} ${type}: ${why}`)
}

describe('the paths of a skill', () => {
  it('are lines of a .gitignore', () => {
    const paths = [
      'src/**/*.ts',
      'apps/',
      '/top.md',
      '*.sql',
      '!gen/',
      '[ab]?c',
      'a/**',
      '\\#x',
      '.github/',
      'a\\ ',
      '...',
      '[]x]',
      '[[:alpha:]]',
      '[a/../b]',
      '**/a/**/b/**',
    ]
    expect(readPatterns(paths)).toEqual({ lines: paths, problems: [], isConditional: true })
  })

  it('count as none when there is nothing but **', () => {
    expect(
      [['**'], ['**', '**'], ['**', '../x'], ['**', 'src'], ['**/*']].map(paths => readPatterns(paths).isConditional),
    ).toEqual([false, false, false, true, true])
  })

  it('that begin with ./ begin in the working folder', () => {
    expect(readPatterns(['./src/*.ts', '!./a', './']).lines).toEqual(['/src/*.ts', '!/a'])
  })

  it('stand for several where there are braces', () => {
    expect(readPatterns(['src/**/*.{ts,tsx}', '!{a,b/{c,d}}', '{x}', 'a\\{b,c}', '{a,b', '}{a,b}']).lines).toEqual([
      'src/**/*.ts',
      'src/**/*.tsx',
      '!a',
      '!b/c',
      '!b/d',
      '{x}',
      'a\\{b,c}',
      '{a,b',
      '}a',
      '}b',
    ])
  })

  it('that lead out of the working folder match nothing, and are named', () => {
    expect(
      flaws(
        '../shared/**',
        'a/../../b',
        '..',
        '/../x',
        '!../x',
        'src/{a,../b}',
        '\\.\\./x',
        '~/notes',
        'C:\\work',
        'd:/work',
      ),
    ).toEqual([
      '../shared/** traversal: leads out of the working folder',
      'a/../../b traversal: leads out of the working folder',
      '.. traversal: leads out of the working folder',
      '/../x traversal: leads out of the working folder',
      '!../x traversal: leads out of the working folder',
      'src/{a,../b} traversal: leads out of the working folder',
      '\\.\\./x traversal: leads out of the working folder',
      '~/notes traversal: starts outside the working folder',
      'C:\\work traversal: starts outside the working folder',
      'd:/work traversal: starts outside the working folder',
    ])
    expect(readPatterns(['../x', 'src']).lines).toEqual(['src'])
    expect(readPatterns(['../x'])).toMatchObject({ lines: [], isConditional: true })
  })

  it('that are invalid match nothing, and are named', () => {
    expect(
      flaws('', '  ', '/', '!', '# all', 'a\\', 'a//b', 'a/./b', '[ab', 'x[[:word:]]', '[!', '[a\\]', 'a\0b'),
    ).toEqual([
      ' validation: names nothing',
      '   validation: names nothing',
      '/ validation: names nothing',
      '! validation: names nothing',
      '# all validation: is a comment in this syntax',
      'a\\ validation: ends in a backslash that quotes nothing',
      'a//b validation: has a part without a name',
      'a/./b validation: has a part without a name',
      '[ab validation: has a bracket that is not closed, or a character class that does not exist',
      'x[[:word:]] validation: has a bracket that is not closed, or a character class that does not exist',
      '[! validation: has a bracket that is not closed, or a character class that does not exist',
      '[a\\] validation: has a bracket that is not closed, or a character class that does not exist',
      'a\0b validation: holds a NUL',
    ])
  })

  it('that only take back match nothing', () => {
    expect(readPatterns(['!src', '!lib'])).toMatchObject({
      lines: [],
      problems: [{ pattern: '!lib', why: expect.stringContaining('only excludes files') }],
    })
  })

  it('are bounded, so that testing a file takes no time to speak of', () => {
    expect(flaws('a/**/b/**/c/**/**', 'x'.repeat(1025), '{a,b}'.repeat(7)).map(flaw => flaw.slice(-40))).toEqual(
      [
        'a/**/b/**/c/**/** validation: has ** more than 3 times',
        expect.stringContaining('is longer than 1,024 characters'),
        expect.stringContaining('stands for more than 100 patterns'),
      ].map(text => (typeof text === 'string' ? text.slice(-40) : text)),
    )
    const many = readPatterns(Array.from({ length: 102 }, (_, at) => `f${at}`))
    expect(many.lines).toHaveLength(100)
    expect(many.problems).toEqual([
      { pattern: 'f100', type: 'validation', why: expect.stringContaining('comes after the first') as string },
    ])
  })

  const part = fc.constantFrom(
    'a',
    'b',
    '*',
    '**',
    '?',
    '..',
    '.',
    '',
    '[ab]',
    '[a',
    '[!a]',
    '[[:alpha:]]',
    '[[:no:]]',
    '\\',
    '#',
    '!',
    ' ',
    'a*',
  )
  const pattern = fc
    .array(part, { minLength: 1, maxLength: 5 })
    .chain(parts => fc.constantFrom(parts.join('/'), parts.join('')))
  const path = fc
    .array(fc.constantFrom('a', 'b', 'ab', '.a', '#', '!', '[a', ' ', '{a,b}'), { minLength: 1, maxLength: 4 })
    .map(parts => parts.join('/'))

  it('that are said to match nothing match nothing', () => {
    const compile = IgnoreRules.patterns()
    let count = 0
    fc.assert(
      fc.property(pattern, fc.array(path, { minLength: 5, maxLength: 5 }), (one, paths) => {
        fc.pre(!/^!?\.\//.test(one))
        // A pattern beyond a limit is refused although it would match.
        const { problems } = readPatterns([one])
        if (problems.length === 0 || problems.some(({ why }) => why.startsWith('has ** more than'))) return
        count++
        expect(paths.filter(compile([one]))).toEqual([])
      }),
      { numRuns: 5000 },
    )
    expect(count).toBeGreaterThan(300)
  })

  it('with braces mean what their alternatives mean', () => {
    const text = fc.array(fc.constantFrom('a', 'b/', '*'), { maxLength: 3 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 2, maxLength: 4 }), text, (before, alternatives, after) => {
        expect(expandBraces(`${before}{${alternatives.join(',')}}${after}`, 100)).toEqual(
          alternatives.map(one => before + one + after),
        )
      }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', ',', '\\', 'a'), { maxLength: 30 }).map(parts => parts.join('')),
        one => {
          expect(expandBraces(one, 10).length).toBeLessThanOrEqual(11)
        },
      ),
    )
  })
})
