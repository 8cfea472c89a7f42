import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addPackageFields } from './package-edit.js'
import { newPackageText, type PackageFields } from './new-package.js'

const fields: PackageFields = { name: 'acme', version: '0.1.0', description: 'Tools.', published: ['skills'] }
const added = (text: string, published = fields.published): string =>
  addPackageFields({ text, data: JSON.parse(text.replace(/^\ufeff/, '')) }, { ...fields, published }).text

test.each([
  [
    'an empty object',
    '{}',
    '{\n  "name": "acme",\n  "version": "0.1.0",\n  "description": "Tools.",\n  "skillsPaths": ["./skills"]\n}',
  ],
  [
    'one line',
    '{ "name": "a" }\n',
    '{ "name": "a", "version": "0.1.0", "description": "Tools.", "skillsPaths": ["./skills"] }\n',
  ],
  [
    'a byte order mark',
    '\ufeff{"name":"a","version":"1.0.0","description":"d","skillsPath":"s"}',
    '\ufeff{"name":"a","version":"1.0.0","description":"d","skillsPath":"s"}',
  ],
  [
    'files over several lines',
    '{"name":"a","version":"1.0.0","description":"d","skillsPaths":[],"files":[\n\t"x"\n]}',
    '{"name":"a","version":"1.0.0","description":"d","skillsPaths":[],"files":[\n\t"x",\n\t"skills"\n]}',
  ],
  [
    'empty files',
    '{"name":"a","version":"1.0.0","description":"d","skills":{},"files":[]}',
    '{"name":"a","version":"1.0.0","description":"d","skills":{},"files":[\n  "skills"\n]}',
  ],
])('%s gets what is missing, and keeps what is there', (_, before, after) => {
  expect(added(before)).toBe(after)
})

test.each(['skills', './skills', 'skills/', '/skills', 'skills/**', 'skills/**/*', '*', '.', './'])(
  'files with %j has the skills already',
  pattern => {
    const text = JSON.stringify({ ...fields, published: undefined, skillsPaths: ['./skills'], files: [pattern] })
    expect(added(text)).toBe(text)
  },
)

test('what is added is there, everything else is as it was, and a second time nothing is added', () => {
  const values = fc.jsonValue({ maxDepth: 2 })
  const objects = fc.dictionary(
    fc.constantFrom('name', 'version', 'description', 'files', 'skillsPaths', 'scripts', '__x', 'ü"\n'),
    values,
  )
  fc.assert(
    fc.property(objects, fc.constantFrom(undefined, 1, 2, '\t'), fc.constantFrom('\n', '\r\n'), (data, indent, eol) => {
      const text = JSON.stringify(data, undefined, indent).replaceAll('\n', eol)
      const after = added(text)
      const result: unknown = JSON.parse(after)
      const {
        published: [skills = ''],
        ...given
      } = fields
      const { files } = data
      const manifest = ['skillsPaths'].some(key => data[key] !== undefined) ? {} : { skillsPaths: ['./skills'] }
      const isListed =
        Array.isArray(files) && files.some(one => typeof one === 'string' && ['', '*', '.', '/'].includes(one))
      expect(result).toEqual(
        JSON.parse(
          JSON.stringify({
            ...given,
            ...manifest,
            ...data,
            ...(Array.isArray(files) && !isListed ? { files: [...files, skills] } : {}),
          }),
        ),
      )
      expect(added(after)).toBe(after)
    }),
    { examples: [[{}, 2, '\n']] },
  )
})

test('a new package file is JSON with everything in it', () => {
  expect(JSON.parse(newPackageText({ ...fields, published: [] }))).toEqual({
    name: 'acme',
    version: '0.1.0',
    description: 'Tools.',
    keywords: ['agent-skills', 'skills'],
    skillsPaths: ['./skills'],
  })
})
