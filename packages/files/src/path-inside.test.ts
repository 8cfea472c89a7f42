import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pathInside } from './path-inside.js'

const part = fc.oneof(fc.constantFrom('..', '.', '', '\\', '/', 'a', 'b.md', 'C:', '\0'), fc.string())

it('a path of a manifest stays inside the plugin, or is refused, in any spelling', () => {
  fc.assert(
    fc.property(
      fc
        .array(part, { maxLength: 8 })
        .chain(parts => fc.constantFrom(parts.join('/'), parts.join('\\'), parts.join(''))),
      given => {
        const path = pathInside(given)
        if (path === undefined) return
        const resolved = posix.resolve('/plugin', path)
        expect(resolved === '/plugin' || resolved.startsWith('/plugin/')).toBe(true)
        expect(path).not.toMatch(/^\/|\/$|\\|\0/)
      },
    ),
  )
})

it('a plain path is taken as it is written', () => {
  expect(['.', './', './a', 'a/b/', './a/../b', './..a'].map(pathInside)).toEqual(['', '', 'a', 'a/b', 'b', '..a'])
})
