import { expect, test } from 'vitest'
import { firstHeading, firstParagraph } from './paragraph.js'

test.each<[string, string, string | undefined]>([
  ['the first paragraph', 'First paragraph.\n\nSecond.', 'First paragraph.'],
  ['on one line', '\n\nFirst\n  paragraph\there.\r\n\r\nSecond.', 'First paragraph here.'],
  ['a heading without its marks', '# Deploy the app\n\nText', 'Deploy the app'],
  ['a heading that closes', '## Deploy ##\nText', 'Deploy'],
  ['a heading about C#', '# About C#\n', 'About C#'],
  ['a heading that is underlined', 'Deploy\n======\n\nText', 'Deploy'],
  ['a heading that ends a paragraph', 'Text\n# Heading', 'Text'],
  ['an empty heading is none', '#\n\nText', 'Text'],
  ['a hash is no heading', '#hashtag first', '#hashtag first'],
  ['comments before it are skipped', '<!-- a\n\n b -->\n<!-- c --> \nText', 'Text'],
  ['rules before it are skipped', '---\n\n* * *\nText', 'Text'],
  ['code before it is skipped', '```bash\n# not this\n```\n\n~~~\nx\n~~~\nText', 'Text'],
  ['a rule ends it', 'Text\n---\nmore', 'Text'],
  ['code ends it', 'Text\n```\nx\n```', 'Text'],
  ['a byte order mark is no text', '\uFEFFText', 'Text'],
  ['nothing', '', undefined],
  ['white space', ' \n\t\n', undefined],
  ['a comment that never ends', '<!-- x', undefined],
  ['code that never ends', '```\nx', undefined],
])('%s', (_, body, paragraph) => {
  expect(firstParagraph(body)).toBe(paragraph)
})

test('long bodies take no time to speak of', () => {
  const before = process.cpuUsage()
  firstParagraph('<!-- x -->\n'.repeat(20_000))
  firstParagraph('- '.repeat(100_000))
  firstParagraph(`# ${'#'.repeat(200_000)}`)
  firstParagraph('\n'.repeat(200_000))
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
})

test.each([
  ['Text.\n\n## Title ##\nMore', 'Title'],
  ['# One\n# Two', 'One'],
  ['```\n# code\n```\n### After', 'After'],
  ['#hash\n\n#\n', undefined],
  ['', undefined],
  ['<!-- # c -->\n# T', 'T'],
])('the first heading of %j', (body, heading) => {
  expect(firstHeading(body)).toBe(heading)
})
