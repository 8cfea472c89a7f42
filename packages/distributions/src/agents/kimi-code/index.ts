import { defineDistribution } from '../../define-distribution.js'
import { byName, draftFrom, listedEntry, ownListing, shownDescription } from '../../own-listing.js'
import { fileParts, largeFile } from '../../read-as-file.js'
import { kimiFrontmatter } from './frontmatter.js'
import { oneLine, type ListingEntry } from '@skills/invocation/skill-tool'
import type { CatalogEntry, Host } from '@skills/core'

declare module '@skills/invocation/skill-tool' {
  interface Strategies {
    'kimi-code': true
  }
}

/** UTF-16 code units of a description, with the dots behind a shortened one. */
const longest = 250

const groups = [
  ['Project', ({ command }: CatalogEntry) => command.source !== 'user'],
  ['User', ({ command }: CatalogEntry) => command.source === 'user'],
] as const

/** Lists the skills of the project, then those of the user, each group by name, with the beginning of descriptions. */
const listing = ownListing(
  'kimi-code',
  ordered => {
    const parts = groups.map(([label, isIn]) => ({ label, entries: ordered.filter(isIn).map(lines) }))
    const shown = parts.filter(({ entries }) => entries.length > 0)
    const text = shown.flatMap(({ label, entries }) => [`### ${label}`, ...entries.map(one => one.text)]).join('\n')
    return draftFrom(
      text === '' ? '' : `Current available skills:\n${text}`,
      shown.flatMap(({ entries }) => entries),
    )
  },
  byName,
)

function lines(entry: CatalogEntry): ListingEntry {
  const whole = oneLine(shownDescription(entry))
  const shown = whole.length > longest ? `${firstUnits(whole, longest - 3)}...` : whole
  const { command, override } = entry
  const [when, file] =
    command.type === 'prompt' ? [override === 'name-only' ? '' : (command.whenToUse ?? ''), command.filePath] : ['', '']
  const more = [
    ...(when === '' ? [] : [`  When to use: ${oneLine(when)}`]),
    ...(file === undefined || file === '' ? [] : [`  Path: ${oneLine(file)}`]),
  ]
  return listedEntry(
    entry,
    [`- ${oneLine(entry.name)}: ${shown}`, ...more].join('\n'),
    whole.length > longest ? shown : shownDescription(entry),
  )
}

/** Returns the beginning of a text, without half a character. */
function firstUnits(text: string, count: number): string {
  const cut = text.slice(0, count)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

const own = ({ env }: Host) => [{ name: env['KIMI_CODE_HOME'] || '.kimi-code' }, { name: '.agents' }]

/**
 * Distribution that follows Kimi Code: skills of `.kimi-code`, then of `.agents`, at the root of the repository and then
 * in the home folder, eight folders deep, and Markdown files beside these folders. Skills have the name in their
 * frontmatter. References to arguments in a body are replaced. A model is told of 250 characters of a description. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const kimiCode = defineDistribution({
  name: 'kimi-code',
  checked: { program: 'Kimi Code', version: '2.1.0', on: '2026-11-26' },
  traces: { programs: ['kimi'], home: ['.kimi-code'], project: ['.kimi-code'] },
  says: '`.kimi-code` and `.agents` of the root of the repository and of the user, loose Markdown files, both fields required, 250 characters of a description',
  precedence: ['project', 'user'],
  visibility: { isDescribed: () => true },
  layout: {
    otherCase: 'report',
    depth: 8,
    folders: Infinity,
    loose: 'root',
    fileBytes: largeFile,
    dialect: kimiFrontmatter,
    names: 'field',
    fallback: { from: 'nothing', otherwise: '' },
    fields: { only: ['name', 'description', 'when_to_use', 'arguments', 'disable-model-invocation'] },
  },
  tool: {
    listingIn: 'system',
    textIn: ({ entry, text }) =>
      `Skill tool loaded instructions for this request. Follow them.\n\n<skill-loaded name="${entry.name}">\n${text}\n</skill-loaded>`,
  },
  plugins: [
    ['project', { folders: [{ name: '.kimi-code' }, { name: '.agents' }], reach: 'root' }],
    ['user', { folders: own }],
    ...fileParts,
    [
      'text',
      {
        header: false,
        prices: false,
        names: 'no-bracket',
        braces: false,
        escapes: 'none',
        variables: 'none',
        baseDirBraces: false,
      },
    ],
    ['inline', { trims: true, repeated: 'whole' }],
    ['listing', { strategy: 'kimi-code' }],
    listing,
  ],
})
