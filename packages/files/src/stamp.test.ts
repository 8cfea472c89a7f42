import { linkSync, renameSync, statSync, utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { stampOf } from './index.js'

const later = Date.now() + 60_000

describe('the stamp of files', () => {
  it('is the same while nothing changes, and another after each change of one of them', () => {
    const tree = temporary({ a: 'one', b: 'one', spare: 'one' })
    const paths = [`${tree.path}/a`, `${tree.path}/b`, `${tree.path}/none`]
    const seen = [stampOf(paths, later)]
    expect(stampOf(paths, later)).toEqual(seen[0])
    for (const change of [
      () => tree.write({ b: 'longer' }),
      () => utimesSync(`${tree.path}/a`, 1000, 1000),
      () => renameSync(`${tree.path}/spare`, `${tree.path}/b`),
      () => tree.write({ none: '' }),
      () => linkSync(`${tree.path}/a`, `${tree.path}/other`),
      () => tree.remove('a'),
    ]) {
      change()
      seen.push(stampOf(paths, later))
    }
    expect(new Set(seen.map(({ text }) => text)).size).toBe(seen.length)
    expect(seen.every(({ isSettled }) => isSettled)).toBe(true)
  })

  it('is that of a link and of what it leads to, also where that is nothing', () => {
    const tree = temporary({ target: 'one', link: { link: 'target' } })
    const paths = [`${tree.path}/link`]
    const texts = [stampOf(paths, later).text]
    tree.write({ target: 'another' })
    texts.push(stampOf(paths, later).text)
    tree.remove('target')
    texts.push(stampOf(paths, later).text)
    tree.remove('link')
    texts.push(stampOf(paths, later).text)
    expect(texts.map(text => text.split(' ').length)).toEqual([2, 2, 1, 1])
    expect(new Set(texts).size).toBe(4)
    expect(texts[3]).toBe('')
  })

  it('is empty where there is certainly none of them, and the code of the system where no one can tell', () => {
    const { path } = temporary({ file: '', loop: { link: 'loop' } })
    expect(stampOf([`${path}/none`, `${path}/file/below`], later)).toEqual({ text: '', isSettled: true })
    expect(stampOf([], later)).toEqual({ text: '', isSettled: true })
    expect(stampOf([`${path}/loop/below`], later)).toEqual({ text: 'ELOOP', isSettled: true })
  })

  it('is settled once a later change is sure to change it', () => {
    const { path } = temporary({ file: 'text', link: { link: 'file' } })
    const { ctimeMs } = statSync(`${path}/file`)
    for (const name of ['file', 'link']) {
      expect(
        [ctimeMs - 1000, ctimeMs + 50, ctimeMs + 5000].map(
          now => stampOf([`${path}/none`, `${path}/${name}`], now).isSettled,
        ),
        name,
      ).toEqual([false, false, true])
    }
    // Either stamp can be the one that is too recent.
    utimesSync(`${path}/file`, (ctimeMs + 10_000) / 1000, (ctimeMs + 10_000) / 1000)
    expect([ctimeMs + 5000, ctimeMs + 15_000].map(now => stampOf([`${path}/file`], now).isSettled)).toEqual([
      false,
      true,
    ])
  })
})
