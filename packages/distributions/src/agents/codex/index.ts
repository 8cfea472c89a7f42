import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from '../../compose.js'
import { codexFrontmatter } from './frontmatter.js'
import { machinePolicy } from '../../machine-policy.js'
import { projectLinks } from '../../project-links.js'
import { largeFile, readAsFile } from '../../read-as-file.js'
import type { Host } from '@skills/core'
import type { AgentFolder } from '@skills/files/source'
import type { Distribution, DistributionOptions } from '../../distribution.js'

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
export function codex(options: DistributionOptions): Distribution {
  return compose(
    {
      ...readAsFile,
      name: 'codex',
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
      sources: reading => [
        ...machinePolicy(options.managed),
        projectSource({ folders, linksTo: projectLinks(options, userFolders), ...reading }),
        userSource({ folders: userFolders, ...reading }),
      ],
    },
    options,
  )
}
