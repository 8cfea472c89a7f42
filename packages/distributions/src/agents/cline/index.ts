import { defineDistribution } from '../../define-distribution.js'
import { byName, draftFrom, listedEntry, ownListing } from '../../own-listing.js'
import { fileParts, largeFile } from '../../read-as-file.js'
import { clineFrontmatter } from './frontmatter.js'
import { oneLine } from '@skills/invocation/skill-tool'
import type { GivenSkill } from '@skills/invocation/internal'

declare module '@skills/invocation/skill-tool' {
  interface Strategies {
    cline: true
  }
}

/** Lists names alone, in one sentence of the tool's description. */
const listing = ownListing(
  'cline',
  ordered => {
    const entries = ordered.map(entry => listedEntry(entry, oneLine(entry.name), ''))
    return draftFrom(
      entries.length === 0 ? '' : `Available skills: ${entries.map(({ text }) => text).join(', ')}.`,
      entries,
    )
  },
  byName,
)

/** Returns the result of the tool: the name, and the description before the text. */
function instructions({ entry, text }: GivenSkill): string {
  const { name, command } = entry
  const described = command.description === '' ? '' : `Description: ${command.description}\n\n`
  return `<command-name>${name}</command-name>\n<command-instructions>\n${described}${text}\n</command-instructions>`
}

/**
 * Distribution that follows Cline: skills of `.clinerules`, `.cline` and `.agents` at the root of the repository, then of
 * `~/.cline` and `~/.agents`, in folders directly below. If several have the same name, the one found last wins. A model
 * is told of names alone; a description is read with the skill. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const cline = defineDistribution({
  name: 'cline',
  checked: { program: 'Cline', version: '3.0.65', on: '2026-11-26' },
  traces: { programs: ['cline'], home: ['.cline'], project: ['.cline', '.clinerules'] },
  says: '`.clinerules`, `.cline` and `.agents` of the root of the repository, `~/.cline` and `~/.agents`, one folder deep, names alone',
  precedence: ['user', 'project'],
  visibility: { isDescribed: () => true },
  layout: {
    walk: 'flat',
    otherCase: 'report',
    skipped: [],
    mayBeSkill: true,
    fileBytes: largeFile,
    dialect: clineFrontmatter,
    names: 'field',
    fallback: { from: 'nothing', otherwise: '' },
    fields: { only: ['name', 'description'] },
  },
  tool: { name: 'skills', listingIn: 'description', textIn: instructions },
  plugins: [
    ['project', { folders: ['.clinerules', '.cline', '.agents'].map(name => ({ name })), reach: 'root', wins: 'last' }],
    ['user', { folders: [{ name: '.cline' }, { name: '.agents' }], wins: 'last' }],
    ...fileParts,
    ['inline', { trims: true, repeated: 'whole' }],
    ['listing', { strategy: 'cline' }],
    listing,
  ],
})
