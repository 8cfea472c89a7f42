import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorOf, anchorsOf, withoutBlocks } from '../anchors.mjs'
import { root } from '../workspace.mjs'

const tracked = (...patterns: readonly string[]): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(file => file !== '' && existsSync(path.join(root, file)))

const pages = tracked('*.md')
const text = (file: string) => readFileSync(path.join(root, file), 'utf8')
const anchors = new Map<string, ReadonlySet<string>>()

/** Returns the reason why a link of a page is broken, or undefined if it is not. */
function broken(from: string, target: string): string | undefined {
  const [file = '', anchor] = target.split('#', 2)
  const to = file === '' ? from : path.posix.join(path.posix.dirname(from), decodeURI(file))
  if (!existsSync(path.join(root, to))) return `${to} does not exist`
  if (anchor === undefined) return undefined
  let known = anchors.get(to)
  if (known === undefined) anchors.set(to, (known = anchorsOf(text(to))))
  return known.has(anchor) ? undefined : `${to} has no heading for #${anchor}`
}

describe('every relative link leads to a file, and to a heading of it', () => {
  test.each(pages)('%s', file => {
    const lines = withoutBlocks(text(file)).split('\n')
    const wrong = lines.flatMap((line, at) =>
      Array.from(line.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '').matchAll(/\]\(([^)\s]+)[^)]*\)/g), ([, target = '']) =>
        /^[a-z][a-z\d+.-]*:/i.test(target) ? undefined : broken(file, target),
      )
        .filter(problem => problem !== undefined)
        .map(problem => `${file}:${at + 1}: ${problem}`),
    )
    expect(wrong).toEqual([])
  })
})

test('what code and comments say of a page, and of a heading in it, is there', () => {
  const wrong = tracked('*.ts', '*.mjs', '*.cjs').flatMap(file => {
    // Tests may name pages of their own.
    if (file.endsWith('.test.ts')) return []
    // A sentence of a comment may continue in the next line.
    const sentences = text(file).replace(/\n[ \t]*(?:\*|\/\/) ?/g, ' ')
    return Array.from(
      sentences.matchAll(/(?<![\w/])(docs\/[a-z/-]+\.md)((?:,? (?:and )?"[^"\n]+")*)/g),
      ([, page = '', titles = '']) =>
        existsSync(path.join(root, page))
          ? Array.from(titles.matchAll(/"([^"]+)"/g), ([, title = '']) => broken(page, `#${anchorOf(title)}`))
          : [`${page} does not exist`],
    )
      .flat()
      .filter(problem => problem !== undefined)
      .map(problem => `${file}: ${problem}`)
  })
  expect(wrong).toEqual([])
})

test('anchors are those of GitHub', () => {
  const page =
    "# `a(b)` of @c/d-e\n## Permission for the host's own tools\n## Twice\n```\n# no\n```\n## Twice\n## snake_case"
  expect([...anchorsOf(page)]).toEqual([
    'ab-of-cd-e',
    'permission-for-the-hosts-own-tools',
    'twice',
    'twice-1',
    'snake_case',
  ])
})

test('a page of the reference has at most 350 lines', () => {
  const long = pages.filter(page => page.startsWith('docs/reference/') && text(page).split('\n').length > 351)
  expect(long).toEqual([])
})
