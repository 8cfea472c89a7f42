import { describe, expect, test } from 'vitest'
import { absoluteLinks, absoluteReferences } from '../../../scripts/publishing/pack.mjs'
import { startRegistry } from '../../../scripts/publishing/registry.mjs'

const page = 'https://git.example/skills'

describe('links of a README that leave its package', () => {
  test.each([
    ['[fs](../files/README.md#shared-reads)', `[fs](${page}/blob/main/packages/files/README.md#shared-reads)`],
    [
      '[a](../../plugins/trust) and [b](test/x.md)',
      `[a](${page}/blob/main/plugins/trust) and [b](${page}/blob/main/packages/cli/test/x.md)`,
    ],
    ['[reference](../../docs/reference.md)', `[reference](${page}/blob/main/docs/reference.md)`],
  ])('%s become absolute', (before, after) => {
    expect(absoluteLinks(before, 'packages/cli', page)).toBe(after)
  })

  test.each([
    '[a](#usage)',
    '[b](https://example.org/a(b))',
    '[c](mailto:me@example.org)',
    'an array [1](2) of'.replace('(2)', ' (2)'),
  ])('%s stays', text => {
    expect(absoluteLinks(text, 'packages/cli', page)).toBe(text)
  })
})

test('what a comment says of the documents is an address', () => {
  expect(absoluteReferences('See docs/reference/listing.md, "The Skill tool".', page)).toBe(
    `See ${page}/blob/main/docs/reference/listing.md#the-skill-tool.`,
  )
  expect(absoluteReferences('See docs/reference.md.', page)).toBe(`See ${page}/blob/main/docs/reference.md.`)
  expect(absoluteReferences(`See ${page}/blob/main/docs/reference.md.`, page)).toBe(
    `See ${page}/blob/main/docs/reference.md.`,
  )
})

describe('the registry of a rehearsal', () => {
  test('takes a version once, and none whose tarball is not what was said', async () => {
    const registry = await startRegistry()
    try {
      const put = async (integrity: string) =>
        (await fetch(`${registry.url}@a%2fb`, { method: 'PUT', body: JSON.stringify(document(integrity)) })).status
      expect(await put('sha512-wrong')).toBe(400)
      expect(await put(integrityOfX)).toBe(201)
      expect(await put(integrityOfX)).toBe(409)
      const known: unknown = await (await fetch(`${registry.url}@a%2fb`)).json()
      expect(known).toMatchObject({ versions: { '1.0.0': { dist: { tarball: `${registry.url}@a/b/-/b-1.0.0.tgz` } } } })
      expect(await (await fetch(`${registry.url}@a/b/-/b-1.0.0.tgz`)).text()).toBe('x')
      expect((await fetch(`${registry.url}nothing`)).status).toBe(404)
    } finally {
      await registry.close()
    }
  })
})

/** SHA-512 of the text "x". */
const integrityOfX = 'sha512-pKvURIxJVi2CgRXROh/M6pJ/UrTVRZKX+LQ+QtqJI4vBNibkPcs43bCCSIkn7JBPtCBXRDmD6IWFF51QVRr+Yg=='

function document(integrity: string) {
  return {
    name: '@a/b',
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name: '@a/b', version: '1.0.0', dist: { integrity } } },
    _attachments: { 'b-1.0.0.tgz': { data: Buffer.from('x').toString('base64') } },
  }
}
