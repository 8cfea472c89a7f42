import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFrontmatter } from '../parse/parse-frontmatter.js'
import { needsOf } from './needs.js'
import { readFields } from './read-fields.js'

async function read(yaml: string) {
  const parsed = await parseFrontmatter(`---\n${yaml}\n---\nx`)
  if (!parsed.ok) throw new Error('not parsed')
  return readFields(parsed.data)
}

const none = { bins: [], anyBins: [], env: [], config: [], mcp: [], os: [] }

describe('a map of needs', () => {
  test('is read, kept with what means nothing here, and refuses no skill', async () => {
    const { fields, problems } = await read(
      'requires:\n  bins: [ffmpeg, jq]\n  env: TOKEN, KEY\n  pip:\n    - numpy\n  mcp:\n    tracker: {}\n  skills: [other]',
    )
    expect(problems).toEqual([])
    expect(fields.requires).toEqual(['other'])
    expect(fields.metadata).toEqual({
      requires: { bins: ['ffmpeg', 'jq'], env: 'TOKEN, KEY', pip: ['numpy'], mcp: { tracker: {} }, skills: ['other'] },
    })
    expect(needsOf(fields.metadata ?? {})).toEqual({
      ...none,
      bins: ['ffmpeg', 'jq'],
      env: ['TOKEN', 'KEY'],
      mcp: ['tracker'],
    })
  })

  test('stands below the name of another program too, and joins', async () => {
    const { fields } = await read(
      'metadata: {"openclaw": {"requires": {"anyBins": ["bun", "node"], "config": ["browser.enabled"]}, "os": ["macos", "linux"]}, "clawdbot": {"requires": {"bins": ["jq"]}, "os": "Windows"}}\nrequires:\n  bins: jq',
    )
    expect(needsOf(fields.metadata ?? {})).toEqual({
      ...none,
      bins: ['jq'],
      anyBins: ['bun', 'node'],
      config: ['browser.enabled'],
      os: ['darwin', 'linux', 'win32'],
    })
  })

  test('of which nothing is left is none', async () => {
    for (const yaml of [
      'requires: [other]',
      'requires: {}',
      'requires:\n  pip: [numpy]',
      'metadata: text',
      'metadata:\n  openclaw: yes',
    ])
      expect(needsOf((await read(yaml)).fields.metadata ?? {}), yaml).toBeUndefined()
    expect((await read('requires: [other]')).fields.requires).toEqual(['other'])
  })

  test('may hold anything', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('requires', 'openclaw', 'clawdbot', 'os', 'bins'), fc.jsonValue()),
        metadata => {
          for (const names of Object.values(needsOf(metadata) ?? none))
            expect(names.every((name: unknown) => typeof name === 'string' && name !== '') && names.length <= 100).toBe(
              true,
            )
        },
      ),
    )
  })
})
