import { expect, test } from 'vitest'
import { outline } from './outline.js'

/** Formats each entry as `path @first-last style`. */
function show(text: string): string[] {
  return outline(text.split('\n')).map(
    ({ path, line, last, style, fault }) =>
      `${path.join('.')} @${line}${last === line ? '' : `-${last}`} ${style}${fault === undefined ? '' : ` ${fault}`}`,
  )
}

test.each<[string, string, string[]]>([
  ['pairs', 'a: b\nc: "d"\ne:', ['a @0 plain', 'c @1 double', 'e @2 none']],
  ['comments and blank lines', '# x: y\na: b # c: d\n\n  # e: f\ng: h', ['a @1 plain', 'g @4 plain']],
  [
    'maps in maps',
    'a:\n  b:\n    c: d\n  e: f\ng: h',
    ['a @0 none', 'a.b @1 none', 'a.b.c @2 plain', 'a.e @3 plain', 'g @4 plain'],
  ],
  [
    'lists',
    'a:\n- b\n- c\nd:\n  - e\n  - f',
    ['a @0 none', 'a.0 @1 plain', 'a.1 @2 plain', 'd @3 none', 'd.0 @4 plain', 'd.1 @5 plain'],
  ],
  [
    'maps in lists',
    'a:\n- b: c\n  d: e\n- f: g',
    ['a @0 none', 'a.0 @1 none', 'a.0.b @1 plain', 'a.0.d @2 plain', 'a.1 @3 none', 'a.1.f @3 plain'],
  ],
  ['lists in lists', '- - a\n  - b\n- c', ['0 @0 none', '0.0 @0 plain', '0.1 @1 plain', '1 @2 plain']],
  [
    'lists in maps in lists',
    'a:\n- b:\n  - c\n  d: e',
    ['a @0 none', 'a.0 @1 none', 'a.0.b @1 none', 'a.0.b.0 @2 plain', 'a.0.d @3 plain'],
  ],
  ['plain text that goes on', 'a: b\n  c: d\n\n  e\nf: g', ['a @0-3 plain', 'f @4 plain']],
  ['text below its key', 'a:\n  b c\n  d: e\nf: g', ['a @0-2 none', 'f @3 plain']],
  [
    'quoted text that goes on',
    'a: "b\n  c: d\n\n  e" # f\ng: \'h\ni\'\nj: k',
    ['a @0-3 double', 'g @4-5 single', 'j @6 plain'],
  ],
  ['quotes with escapes', "a: \"b \\\" c\"\nd: 'e '' f'", ['a @0 double', 'd @1 single']],
  ['blocks', 'a: |\n  b: c\n\n   d\ne: >-\n  f\ng: h', ['a @0-3 block', 'e @4-5 block', 'g @6 plain']],
  [
    'brackets over lines',
    'a: [b,\n  "]", c]\nd: {e: f,\n"g": [h]\n}\ni: j',
    ['a @0-1 flow', 'd @2-4 flow', 'i @5 plain'],
  ],
  [
    'anchors and tags',
    'a: &x\n  b: c\nd: !!str "e\n  f"\ng: *x',
    ['a @0 none', 'a.b @1 plain', 'd @2-3 double', 'g @4 other'],
  ],
  ['quoted keys', '"a b" : c\n\'d\'\'e\': f\n"g\\u0041": h', ['a b @0 plain', "d'e @1 plain", 'gA @2 plain']],
  ['a quote that is never closed', 'a: "b\nc: "d"\n', ['a @0 double', 'c @1 double']],
  ['a bracket that is never closed', 'a: [b\nc: d]\n', ['a @0 flow', 'c @1 plain']],
  ['text at the margin', 'a: b\nc d\ne: f', ['a @0-1 plain', 'e @2 plain']],
  ['prose at the margin that looks like a key', 'a: b\nc d\nso it is: yes\ne: f', ['a @0-2 plain', 'e @3 plain']],
  ['a known key glued to its value', 'name:x\nother:y\nurl: z', ['name @0-1 plain glued', 'url @2 plain']],
  [
    'a known key further in than its siblings',
    'a: b\n  name: x\nc: d',
    ['a @0 plain', 'name @1 plain misindented', 'c @2 plain'],
  ],
])('%s', (_, text, entries) => {
  expect(show(text)).toEqual(entries)
})
