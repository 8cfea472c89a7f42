import { describe, expect, it } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { expandGlobs } from './expand-globs.js'

const files = {
  'b.md': '',
  'a.md': '',
  'docs/c.md': '',
  '.github/d.md': '',
  'node_modules/e.md': '',
  'docs/node_modules/f.md': '',
  '.git/g.md': '',
  'x.txt': '',
}

describe('expanding globs', () => {
  it('gives absolute paths in order, hidden files included', async () => {
    const { path } = temporary(files)
    expect(await expandGlobs(['**/*.md'], path)).toEqual([
      `${path}/.github/d.md`,
      `${path}/a.md`,
      `${path}/b.md`,
      `${path}/docs/c.md`,
    ])
  })

  it('takes several patterns, exclusions and plain paths, and gives each file once', async () => {
    const { path } = temporary(files)
    expect(await expandGlobs(['*.md', 'a.md', '!b.md', 'x.txt'], path)).toEqual([`${path}/a.md`, `${path}/x.txt`])
  })

  it('takes absolute patterns and those that lead up', async () => {
    const { path } = temporary(files)
    expect(await expandGlobs([`${path}/docs/*.md`], '/')).toEqual([`${path}/docs/c.md`])
    expect(await expandGlobs(['../*.md'], `${path}/docs`)).toEqual([`${path}/a.md`, `${path}/b.md`])
  })

  it('gives nothing for what matches nothing, and for a folder alone', async () => {
    const { path } = temporary(files)
    expect(await expandGlobs(['*.nothing', 'docs'], path)).toEqual([])
    expect(await expandGlobs([], path)).toEqual([])
  })

  it('stops when aborted', async () => {
    const { path } = temporary(files)
    await expect(expandGlobs(['**'], path, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  })
})
