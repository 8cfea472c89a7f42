import { fileSource } from '@skills/files/source'
import { fieldTable } from '@skills/skill-md'
import { managedSource } from '@skills/source-managed'
import { extractFolder, type BundledFiles } from '@skills/source-bundled'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from '../../compose.js'
import { projectLinks } from '../../project-links.js'
import type { Distribution, DistributionOptions } from '../../distribution.js'

export interface CocodeOptions extends DistributionOptions {
  /**
   * Files of skills that the program brings along; they are written to `.cocode/skills-bundled` in the home folder.
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

/**
 * Cocode's behaviour: strict limits, descriptions cut at 100 characters in the description of the tool, and paths in a
 * body made absolute. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export function cocode({ bundledFiles, ...options }: CocodeOptions): Distribution {
  const folders = [{ name: '.claude' }]
  return compose(
    {
      name: 'cocode',
      precedence: ['managed', 'user', 'project', 'plugin', 'mcp', 'bundled', 'builtin'],
      identityOf: ({ dev, ino }) => `${dev}:${ino}`,
      layout: {
        nested: true,
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
      sources: reading => [
        ...managedSource({ folders, ...reading, ...options.managed }),
        userSource({ folders, ...reading }),
        projectSource({ folders, linksTo: projectLinks(options, folders), reach: 'working-folder', ...reading }),
        ...(bundledFiles === undefined
          ? []
          : [
              fileSource({
                id: 'bundled',
                source: 'bundled',
                ...reading,
                async roots({ home }) {
                  const folder = `${home}/.cocode/skills-bundled`
                  await extractFolder({ folder, files: bundledFiles, marker: '.cocode-bundled.marker' })
                  return { roots: [{ path: folder }] }
                },
              }),
            ]),
      ],
      published: {},
      mcp: { skills: false },
      visibility: {
        isDescribed: ({ description, whenToUse = '' }) => description !== '' || whenToUse !== '',
        skillsOnly: false,
      },
      text: {
        header: false,
        trim: true,
        digits: 'none',
        names: false,
        braces: false,
        variables: 'none',
        baseDirBraces: false,
        escapes: 'none',
      },
      linksPaths: true,
      shell: false,
      inline: { repeated: 'whole' },
      fork: {},
      hooks: {},
      listing: { strategy: 'fixed' },
      tool: { listingIn: 'description' },
    },
    options,
    { bundledFiles: 1 },
  )
}
