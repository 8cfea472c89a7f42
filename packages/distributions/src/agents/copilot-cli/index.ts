import { defineDistribution } from '../../define-distribution.js'
import { draftFrom, inXml, listedEntry, ownListing, shownDescription } from '../../own-listing.js'
import { fileParts, largeFile, readAsFile, untouched } from '../../read-as-file.js'
import { copilotFrontmatter } from './frontmatter.js'
import { copilotHome, copilotSettings } from './settings.js'
import type { CatalogEntry } from '@skills/core'
import type { ListingEntry } from '@skills/invocation/skill-tool'

declare module '@skills/invocation/skill-tool' {
  interface Strategies {
    'copilot-cli': true
  }
}

/** UTF-16 code units of the entries with a description. */
const room = 15_000

/**
 * Lists skills between tags while there is room. The first that does not fit and all after it are listed by name, in a
 * last line.
 */
const listing = ownListing('copilot-cli', (ordered, budget) => {
  const whole: ListingEntry[] = []
  let left = budget
  for (const entry of ordered) {
    const described = tagged(entry)
    left -= described.text.length + 1
    if (left < 0) break
    whole.push(described)
  }
  const named = ordered.slice(whole.length).map(entry => listedEntry(entry, inXml(entry.name), ''))
  if (ordered.length === 0) return draftFrom('', [])
  const rest = named.map(({ text }) => text).join(', ')
  const lines = [
    '<available_skills>',
    ...whole.map(({ text }) => text),
    ...(rest === '' ? [] : [`Additional skills available (invoke by name): ${rest}`]),
    '</available_skills>',
  ]
  return draftFrom(lines.join('\n'), [...whole, ...named])
})

function tagged(entry: CatalogEntry): ListingEntry {
  const description = shownDescription(entry)
  const place = entry.command.source === 'user' ? 'user' : 'project'
  return listedEntry(
    entry,
    `<skill>\n  <name>${inXml(entry.name)}</name>\n  <description>${inXml(description)}</description>\n  <location>${place}</location>\n</skill>`,
    description,
  )
}

/**
 * Distribution that follows GitHub Copilot CLI: skills of `.github`, then of `.agents` and `.claude`, from the working
 * folder up to the repository's root, and then of `~/.copilot` and `~/.agents`, in folders of any depth. Skills have
 * the name in their frontmatter. Those in `disabledSkills` of the user's settings are left out. The listing has 15,000
 * characters of descriptions, and names after them. See docs/reference/distributions.md, "Distributions", and
 * docs/conformance.md.
 */
export const copilotCli = defineDistribution({
  ...readAsFile,
  name: 'copilot-cli',
  checked: { program: 'GitHub Copilot CLI', version: '1.0.102', on: '2026-11-26' },
  traces: { programs: ['copilot'], home: ['.copilot'], project: ['.github/copilot-instructions.md', '.github/skills'] },
  says: '`.github`, `.agents` and `.claude` up to the repository, `~/.copilot` and `~/.agents`, strict frontmatter, descriptions of 15,000 characters together',
  precedence: ['project', 'user'],
  layout: {
    mayBeSkill: true,
    otherCase: 'report',
    skipped: ['hidden'],
    depth: Infinity,
    folders: Infinity,
    fileBytes: largeFile,
    dialect: copilotFrontmatter,
    names: 'field',
    fallback: { from: 'nothing', otherwise: '' },
    fields: { only: ['name', 'description', 'disable-model-invocation', 'user-invocable'], booleans: 'only-true' },
  },
  tool: {
    name: 'skill',
    takesArgs: false,
    listingIn: 'system',
    textIn: ({ entry, text }) => `<skill-context name="${entry.name}">\n${text}\n</skill-context>`,
  },
  plugins: [
    copilotSettings,
    ['project', { folders: [{ name: '.github' }] }],
    ['project', { folders: [{ name: '.agents' }], id: 'project-agents', order: 1 }],
    ['project', { folders: [{ name: '.claude' }], id: 'project-claude', order: 2 }],
    ['user', { folders: host => [{ name: copilotHome(host) }, { name: '.agents' }] }],
    ...fileParts,
    ['text', { header: ({ baseDir = '' }) => `Base directory for this skill: ${baseDir}`, ...untouched }],
    ['listing', { strategy: 'copilot-cli', budget: room }],
    listing,
  ],
})
