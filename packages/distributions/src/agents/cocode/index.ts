import { fileSource } from '@skills/files/source'
import { fieldTable } from '@skills/core/fields'
import { extractFolder, type BundledFiles } from '@skills/source-bundled'
import { defineDistribution } from '../../define-distribution.js'
import type { Provider } from '@skills/core'
import type { SkillReading } from '../../parts.js'

export interface CocodeOptions {
  /**
   * Files of skills that come with the program. They are written to `.cocode/skills-bundled` in the home folder.
   * Default: none.
   */
  readonly bundledFiles?: BundledFiles | undefined
}

const reasons = {
  'name-too-long': 'NameTooLong({length})',
  'description-too-long': 'DescriptionTooLong',
  'when-to-use-too-long': 'WhenToUseTooLong',
  'argument-hint-too-long': 'ArgumentHintTooLong',
  'content-too-long': 'ContentTooLong',
}

const folders = [{ name: '.claude' }]

/**
 * Distribution that follows Cocode: strict limits, descriptions cut at 100 characters in the description of the tool,
 * and paths in a body made absolute. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const cocode = defineDistribution<CocodeOptions>({
  name: 'cocode',
  showsPaths: true,
  says: 'strict limits in bytes, descriptions of 100 characters, paths in a body made absolute; `bundledFiles` are extracted to `.cocode/skills-bundled`',
  own: { bundledFiles: 1 },
  precedence: ['managed', 'user', 'project', 'plugin', 'mcp', 'bundled', 'builtin'],
  identityOf: ({ dev, ino }) => `${dev}:${ino}`,
  layout: {
    nested: true,
    mayBeSkill: true,
    skipped: ['hidden'],
    depth: 6,
    folders: 2000,
    fallback: { from: 'nothing', otherwise: '' },
    nameBytes: 64,
    bodyBytes: 15_000,
    reasons,
    fields: {
      only: fieldTable.map(({ name }) => name).filter(name => name !== 'paths' && name !== 'effort'),
      limitSeverity: 'error',
      lengthIn: 'bytes',
    },
  },
  visibility: {
    isDescribed: ({ description, whenToUse = '' }) => description !== '' || whenToUse !== '',
    skillsOnly: false,
  },
  plugins: ({ bundledFiles }) => [
    ['managed', { folders }],
    ['user', { folders }],
    ['project', { folders, reach: 'working-folder' }],
    ...(bundledFiles === undefined ? [] : [bundledFolder(bundledFiles)]),
    ['published', { agentPlugins: false }],
    ['mcp', { skills: false }],
    [
      'text',
      {
        header: false,
        trim: true,
        digits: 'none',
        names: false,
        braces: false,
        variables: 'none',
        baseDirBraces: false,
        escapes: 'none',
      },
    ],
    ['links'],
    ['inline', { repeated: 'whole' }],
    ['fork'],
    ['hooks'],
    ['listing', { strategy: 'fixed' }],
  ],
  tool: { listingIn: 'description' },
})

function bundledFolder(files: BundledFiles): (reading: SkillReading) => Provider<'source'> {
  return reading =>
    fileSource({
      id: 'bundled',
      source: 'bundled',
      ...reading,
      async roots({ home }) {
        const folder = `${home}/.cocode/skills-bundled`
        await extractFolder({ folder, files, marker: '.cocode-bundled.marker' })
        return { roots: [{ path: folder }] }
      },
    })
}
