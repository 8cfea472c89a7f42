import { expect, test } from 'vitest'
import { bodyText } from './body-text.js'

test('a body that only says something is printed as it is', () => {
  const template = '# Title\n\n\tcode\n- é 漢字 👩‍👩‍👧\n'
  expect(bodyText({ template })).toEqual({ text: template, isVerbatim: true })
})

test('it ends with its line, and line ends of Windows are line ends', () => {
  expect(bodyText({ template: 'one\r\ntwo' })).toEqual({ text: 'one\ntwo\n', isVerbatim: true })
  expect(bodyText({ template: '' })).toEqual({ text: '', isVerbatim: true })
})

test('what a terminal obeys is shown as its number', () => {
  expect(bodyText({ template: 'a\u001b[2Jb\rc\u202ed\u0007\n' })).toEqual({
    text: 'a<U+001B>[2Jb<U+000D>c<U+202E>d<U+0007>\n',
    isVerbatim: false,
  })
})

test('blocks are shown one below the other, a picture as what it is', () => {
  const blocks = [
    { type: 'text', text: 'Look:' },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'text', text: '\u001b' },
  ] as const
  expect(bodyText({ blocks })).toEqual({ text: 'Look:\n[image: image/png]\n<U+001B>\n', isVerbatim: false })
})
