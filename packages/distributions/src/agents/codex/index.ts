import { defineDistribution } from '../../define-distribution.js'
import { fileParts, largeFile, readAsFile } from '../../read-as-file.js'
import { codexFrontmatter } from './frontmatter.js'
import type { Host } from '@skills/core'
import type { AgentFolder } from '@skills/files/internal'

const folders: readonly AgentFolder[] = ['.agents', '.codex'].map(name => ({ name, hasSidecars: true }))
/** `$CODEX_HOME` stands in for `~/.codex`. */
const userFolders = ({ env }: Host): readonly AgentFolder[] =>
  folders.map(folder =>
    folder.name === '.codex' && env['CODEX_HOME'] ? { ...folder, name: env['CODEX_HOME'] } : folder,
  )

/**
 * Codex's behaviour: skills of `.agents` and `.codex` from the working folder up to the repository's root and in the
 * home folder, six folders deep and within skills too, all told to the model under one name. `agents/openai.yaml`
 * counts, also where it names products. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const codex = defineDistribution({
  ...readAsFile,
  name: 'codex',
  checked: { program: 'Codex', version: '0.169.0', on: '2026-11-22' },
  says: '`.agents` and `.codex`, six folders deep and within skills, all of one name, `agents/openai.yaml`',
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
  plugins: [['project', { folders }], ['user', { folders: userFolders }], ...fileParts],
})
