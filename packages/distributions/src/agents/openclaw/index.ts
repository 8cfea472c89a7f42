import { plainFolder, realFolders, realPathOf } from '@skills/files/internal'
import { fileSource } from '@skills/files/source'
import { defineDistribution } from '../../define-distribution.js'
import { byName, draftFrom, inXml, listedEntry, ownListing, shownDescription } from '../../own-listing.js'
import { fileParts, readAsFile } from '../../read-as-file.js'
import { openclawFrontmatter } from './frontmatter.js'
import { openclawNeeds, openclawSettings, stateFolder } from './settings.js'
import type { CatalogEntry, Host, Plugin } from '@skills/core'
import type { Draft } from '@skills/invocation/skill-tool'
import type { SkillReading } from '../../parts.js'

declare module '@skills/invocation/skill-tool' {
  interface Strategies {
    openclaw: true
  }
}

/** UTF-16 code units of the whole listing. */
const room = 18_000
/** Most skills in a listing. */
const most = 150
/** Longest and shortest part of a description in a listing that is too long. */
const [longest, shortest] = [220, 4]

/**
 * Lists skills by name, with whole descriptions if all fit. Otherwise every description is cut to the greatest length
 * with which all fit, at most 220 characters. Without room for four characters each, there are names alone.
 */
const listing = ownListing(
  'openclaw',
  (ordered, budget) => {
    const entries = ordered.slice(0, most)
    const lengths = [Infinity, ...Array.from({ length: longest - shortest + 1 }, (_, at) => longest - at), 0]
    // A shorter description never makes a longer listing.
    let [fits, tooLong] = [lengths.length, -1]
    while (fits - tooLong > 1) {
      const middle = Math.floor((fits + tooLong) / 2)
      if (laid(entries, lengths[middle] ?? 0).text.length <= budget) fits = middle
      else tooLong = middle
    }
    const omitted = ordered.slice(most).map(({ name }) => name)
    if (fits < lengths.length) return { ...laid(entries, lengths[fits] ?? 0), omitted }
    let count = entries.length
    while (count > 0 && laid(entries.slice(0, count), 0).text.length > budget) count--
    return {
      ...laid(entries.slice(0, count), 0),
      omitted: [...entries.slice(count).map(({ name }) => name), ...omitted],
    }
  },
  byName,
)

/** @param length of each description in UTF-16 code units; 0 for names alone */
function laid(ordered: readonly CatalogEntry[], length: number): Draft {
  if (ordered.length === 0) return draftFrom('', [])
  const entries = ordered.map(entry => {
    const whole = shownDescription(entry)
    const shown = whole.length <= length ? whole : beginning(whole.replace(/\s+/g, ' ').trim(), length)
    const { command } = entry
    const file = command.type === 'prompt' ? (command.filePath ?? '') : ''
    return listedEntry(
      entry,
      [
        '  <skill>',
        `    <name>${inXml(entry.name)}</name>`,
        ...(shown === '' ? [] : [`    <description>${inXml(shown)}</description>`]),
        `    <location>${inXml(file)}</location>`,
        '  </skill>',
      ].join('\n'),
      shown,
    )
  })
  const lines = [
    'The following skills provide specialized instructions for specific tasks.',
    "Read a skill's file at its listed location when the task matches its description.",
    '',
    '<available_skills>',
    ...entries.map(({ text }) => text),
    '</available_skills>',
  ]
  return draftFrom(lines.join('\n'), entries)
}

function beginning(text: string, length: number): string {
  if (text.length <= length) return text
  return length <= 3 ? text.slice(0, length) : `${text.slice(0, length - 3).trimEnd()}...`
}

/**
 * Makes the source of the workspace. A link has to stay in the folder of skills in which it is, or lead into a folder
 * that a person allows.
 */
function workspace({ layout, sharedReads }: SkillReading, allowed: (host: Host) => readonly string[]): Plugin {
  return fileSource({
    id: 'project',
    source: 'project',
    layout,
    sharedReads,
    roots: host => {
      const { cwd } = host
      const top = realPathOf(cwd) ?? plainFolder(cwd)
      const linked = realFolders(allowed(host)).map(folder => `${folder}/*`)
      return {
        roots: ['skills', '.agents/skills'].map(folder => ({
          path: `${plainFolder(cwd)}/${folder}`,
          within: [realPathOf(`${cwd}/${folder}`) ?? `${top}/${folder}`, ...linked],
        })),
      }
    },
  })
}

/** Returns the user's folders, lowest precedence last. A state folder elsewhere leaves those of the home folder out. */
const userFolders = (host: Host) => [
  ...(stateFolder(host) === '.openclaw' ? [{ name: '.agents' }] : []),
  { name: stateFolder(host) },
]

/**
 * Distribution that follows OpenClaw with the working folder as its workspace: skills of `skills`, `.agents/skills`,
 * `~/.agents/skills` and `~/.openclaw/skills`, six folders deep. Skills with unmet needs are left out, and those that
 * `openclaw.json` switches off or does not list for the default agent. The listing is XML of at most 18,000 characters
 * and 150 skills. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const openclaw = defineDistribution({
  ...readAsFile,
  name: 'openclaw',
  checked: { program: 'OpenClaw', version: '2026.9.6', on: '2026-11-26' },
  traces: { programs: ['openclaw'], home: ['.openclaw'], project: [] },
  says: '`skills` and `.agents/skills` of the workspace, `~/.agents` and `~/.openclaw`, six folders deep, only skills whose needs are met, 18,000 characters of listing',
  precedence: ['project', 'user'],
  unmetNeeds: 'leave-out',
  programNeeds: openclawNeeds,
  layout: {
    mayBeSkill: true,
    otherCase: 'report',
    depth: 6,
    fileBytes: 256_000,
    dialect: openclawFrontmatter,
    names: 'field',
    fallback: { from: 'nothing', otherwise: '' },
    fields: { only: ['name', 'description', 'metadata', 'disable-model-invocation', 'user-invocable'] },
  },
  plugins: [
    openclawSettings,
    workspace,
    ['user', { folders: userFolders }],
    ...fileParts,
    ['listing', { strategy: 'openclaw', budget: room }],
    listing,
  ],
})
