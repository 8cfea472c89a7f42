import { IgnoreRules } from '@skills/files'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from './compose.js'
import { piFrontmatter } from './frontmatter/pi.js'
import { machinePolicy } from './machine-policy.js'
import { projectLinks } from './project-links.js'
import { largeFile, readAsFile } from './read-as-file.js'
import type { Distribution, DistributionOptions } from './distribution.js'

/** What files of patterns leave out, of the folder of skills and of those in it. */
function byIgnoreFiles(root: string): (path: string) => boolean {
  const rules = IgnoreRules.by(root, ['.gitignore', '.ignore', '.fdignore'])
  return path => rules.ignores(path)
}

/**
 * pi's behaviour: skills of `.pi` in the working folder, of `.agents` up to the repository's root, then of
 * `~/.pi/agent` and `~/.agents`; Markdown files beside folders of skills are skills too, and `.gitignore`, `.ignore`
 * and `.fdignore` leave skills out. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export function pi(options: DistributionOptions): Distribution {
  const agents = [{ name: '.agents' }]
  const home = [{ name: '.pi/agent' }]
  const linksTo = projectLinks(options, agents, home)
  return compose(
    {
      ...readAsFile,
      name: 'pi',
      precedence: ['project', 'user'],
      layout: {
        mayBeSkill: true,
        otherCase: 'load',
        depth: Infinity,
        folders: Infinity,
        fileBytes: largeFile,
        ignores: byIgnoreFiles,
        dialect: piFrontmatter,
        names: 'field',
        fallback: { from: 'nothing', otherwise: '' },
        fields: { only: ['name', 'description', 'disable-model-invocation'], booleans: 'only-true' },
      },
      sources: ({ layout, ...reading }) => {
        // Loose Markdown files, `skill.md` among them: beside the folders of skills in its own folders, and within them
        // in those of all agents.
        const [root, below] = [
          { ...layout, loose: 'root' as const, otherCase: 'report' as const },
          { ...layout, loose: 'below' as const },
        ]
        return [
          ...machinePolicy(options.managed),
          projectSource({
            folders: [{ name: '.pi' }],
            linksTo,
            reach: 'working-folder',
            id: 'project-pi',
            ...reading,
            layout: root,
          }),
          projectSource({ folders: agents, linksTo, reach: 'repository-or-all', order: 1, ...reading, layout: below }),
          userSource({ folders: home, id: 'user-pi', ...reading, layout: root }),
          userSource({ folders: agents, order: 1, ...reading, layout: below }),
        ]
      },
    },
    options,
  )
}
