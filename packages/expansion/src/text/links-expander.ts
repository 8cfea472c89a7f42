import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { defineProvider, type Provider } from '@skills/core'

const linked = /\(([^\s()<>#?]+)/y
const quoted = /`([^`\s]+)`/y
// A relative path: no character that another expander replaces, no URL, and not only dots.
const relativePath = /^(?![/~]|[a-z][a-z\d+.-]*:)(?=.*[\p{L}\p{N}])[^\\${}!@*|"'`]+$/iu

/**
 * Makes relative paths in links, `[text](path)`, and in code spans absolute from the skill's folder, if the file
 * exists. This replaces the header that names the folder. Code blocks are not changed. See docs/reference/expansion.md,
 * "Arguments and variables".
 */
export function linksExpander(): Provider<'expander'> {
  return defineProvider({
    kind: 'expander',
    id: 'links',
    setup: () => ({
      claims: '(`',
      lex(text, at, { command: { baseDir }, isFenced, isCode, isNested = false }) {
        if (baseDir === undefined || isFenced || isCode || isNested) return undefined
        const isLink = text.charAt(at) === '('
        if (isLink ? text.charAt(at - 1) !== ']' : text.charAt(at - 1) === '!') return undefined
        const pattern = isLink ? linked : quoted
        pattern.lastIndex = at
        const [written = '', path = ''] = pattern.exec(text) ?? []
        return relativePath.test(path) ? { end: at + written.length, data: path } : undefined
      },
      evaluate({ text, data }, { command: { baseDir } }) {
        if (typeof data !== 'string' || baseDir === undefined) return undefined
        const absolute = posix.join(baseDir, data)
        return existsSync(absolute) ? text.replace(data, () => absolute) : undefined
      },
    }),
  })
}
