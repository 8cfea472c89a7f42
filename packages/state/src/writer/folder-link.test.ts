import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderLink, isFolderLink } from './folder-link.js'

const name = fc.stringMatching(/^[a-z][a-z0-9 .]{0,6}[a-z0-9]$/)
const folder = fc.array(name, { minLength: 1, maxLength: 4 })

test('on Windows a link to a folder is a junction with an absolute path, wherever both lie', () => {
  fc.assert(
    fc.property(folder, folder, fc.constantFrom('/', '\\'), (from, to, separator) => {
      const [link, target] = [`C:/top/${from.join('/')}`, `C:\\top\\${to.join('\\')}`]
      const written = path.win32.relative(path.win32.dirname(link), target).replaceAll('\\', separator)
      const { text, type } = folderLink(link, written, 'win32')
      expect([type, path.win32.isAbsolute(text), text]).toEqual(['junction', true, target])
      // As Windows gives it back.
      for (const read of [text, `${text}\\`, `\\\\?\\${text}`, text.toUpperCase()])
        expect(isFolderLink(link, read, written, 'win32')).toBe(true)
      expect(isFolderLink(link, `${text}x`, written, 'win32')).toBe(false)
    }),
  )
})

test('elsewhere a link keeps its text, and any other text is another link', () => {
  fc.assert(
    fc.property(folder, folder, (from, to) => {
      const [link, target] = [
        `/top/${from.join('/')}`,
        path.posix.relative(`/top/${from.join('/')}/..`, `/top/${to.join('/')}`),
      ]
      expect(folderLink(link, target, 'linux')).toEqual({ text: target, type: 'dir' })
      expect([isFolderLink(link, target, target, 'linux'), isFolderLink(link, `./${target}`, target, 'linux')]).toEqual(
        [true, false],
      )
    }),
  )
})
