import { defineDistribution } from '../../define-distribution.js'
import { fileParts, largeFile, readAsFile } from '../../read-as-file.js'
import { openskillsFrontmatter } from './frontmatter.js'

const [agent, claude] = [[{ name: '.agent' }], [{ name: '.claude' }]]

/**
 * Distribution that follows openskills: folders in `.agent` of the working folder and of the home folder, then in
 * `.claude` of both. Skills have the names of their folders, and descriptions are used unchanged. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const openskills = defineDistribution({
  ...readAsFile,
  name: 'openskills',
  checked: { program: 'openskills', version: '1.5.0', on: '2026-11-22' },
  says: '`.agent` and `.claude`, names of folders, a description as it is written',
  tellsCaseTwins: true,
  precedence: ['universal', 'user-universal', 'project', 'user'],
  identityOf: () => undefined,
  layout: {
    walk: 'flat',
    otherCase: 'report',
    skipped: [],
    fileBytes: largeFile,
    dialect: openskillsFrontmatter,
    fallback: { from: 'nothing', otherwise: '' },
    fields: { only: ['description'] },
  },
  plugins: [
    ['project', { folders: agent, reach: 'working-folder', id: 'universal', source: 'universal' }],
    ['user', { folders: agent, id: 'user-universal', source: 'user-universal' }],
    ['project', { folders: claude, reach: 'working-folder' }],
    ['user', { folders: claude, configDir: false }],
    ...fileParts,
    ['trust', { sources: { universal: 'folder', 'user-universal': 'trusted' } }],
  ],
})
