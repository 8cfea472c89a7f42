import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from '../../compose.js'
import { openskillsFrontmatter } from './frontmatter.js'
import { machinePolicy } from '../../machine-policy.js'
import { projectLinks } from '../../project-links.js'
import { largeFile, readAsFile } from '../../read-as-file.js'
import type { Distribution, DistributionOptions } from '../../distribution.js'

/**
 * openskills' behaviour: the folders in `.agent` of the working folder and of the home folder, then in `.claude` of
 * both, by the names of the folders, with a description as it is written. See docs/reference/distributions.md,
 * "Distributions", and docs/conformance.md.
 */
export function openskills(options: DistributionOptions): Distribution {
  const [agent, claude] = [[{ name: '.agent' }], [{ name: '.claude' }]]
  const linksTo = projectLinks(options, agent, claude)
  return compose(
    {
      ...readAsFile,
      name: 'openskills',
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
      sources: reading => [
        ...machinePolicy(options.managed),
        projectSource({
          folders: agent,
          linksTo,
          reach: 'working-folder',
          id: 'universal',
          source: 'universal',
          ...reading,
        }),
        userSource({ folders: agent, id: 'user-universal', source: 'user-universal', ...reading }),
        projectSource({ folders: claude, linksTo, reach: 'working-folder', ...reading }),
        userSource({ folders: claude, ...reading }),
      ],
      trust: { sources: { universal: 'folder', 'user-universal': 'trusted' } },
    },
    options,
  )
}
