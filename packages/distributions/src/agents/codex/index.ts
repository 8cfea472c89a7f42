import { defineDistribution } from '../../define-distribution.js'
import { fileParts, largeFile, readAsFile } from '../../read-as-file.js'
import { codexFrontmatter } from './frontmatter.js'
import { codexSettings } from './settings.js'
import type { Host } from '@skills/core'
import type { AgentFolder } from '@skills/files/internal'

const folders: readonly AgentFolder[] = ['.agents', '.codex'].map(name => ({ name, hasSidecars: true }))
/** Returns the user's folders. `$CODEX_HOME` replaces `~/.codex`. */
const userFolders = ({ env }: Host): readonly AgentFolder[] =>
  folders.map(folder =>
    folder.name === '.codex' && env['CODEX_HOME'] ? { ...folder, name: env['CODEX_HOME'] } : folder,
  )

/**
 * Skills that come with Codex 0.171.0, recorded on 2026-11-27: name, and characters of the description.
 */
const own = [
  ['imagegen', 570],
  ['openai-docs', 624],
  ['skill-creator', 106],
  ['skill-installer', 225],
] as const

/**
 * Distribution that follows Codex: skills of `.agents` and `.codex` from the working folder up to the repository's root
 * and in the home folder, six folders deep and inside skills too. All skills of one name are listed. It applies the
 * file `agents/openai.yaml` of a skill; a skill that the file offers to other products only is left out. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const codex = defineDistribution({
  ...readAsFile,
  name: 'codex',
  checked: { program: 'Codex', version: '0.171.0', on: '2026-11-27' },
  traces: { programs: ['codex'], home: ['.codex'], project: ['.codex'] },
  says: '`.agents` and `.codex`, six folders deep and within skills, all of one name, `agents/openai.yaml`',
  tellsCaseTwins: true,
  precedence: ['project', 'user'],
  qualifyLosers: true,
  layout: {
    nested: true,
    linkedFiles: false,
    mayBeSkill: true,
    otherCase: 'report',
    skipped: ['hidden'],
    depth: 6,
    folders: 2000,
    fileBytes: largeFile,
    dialect: codexFrontmatter,
    names: 'field',
    product: 'codex',
    required: ['description'],
    fallback: { from: 'nothing', otherwise: '' },
    fields: { only: ['name', 'description'] },
  },
  plugins: [
    codexSettings,
    ['project', { folders }],
    ['user', { folders: userFolders }],
    ...fileParts,
    // 10,000 tokens of four characters each; 0.169.0 had 5,440.
    ['listing', { strategy: 'dealt', budget: 40_000, own }],
  ],
})
