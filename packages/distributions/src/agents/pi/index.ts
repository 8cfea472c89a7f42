import { processHost } from '@skills/core'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from '../../compose.js'
import { piFrontmatter } from './frontmatter.js'
import { machinePolicy } from '../../machine-policy.js'
import { piBase, piFolders, piIgnores } from './settings.js'
import { namedFolders } from '../../program-settings.js'
import { projectLinks } from '../../project-links.js'
import { largeFile, readAsFile } from '../../read-as-file.js'
import type { Distribution, DistributionOptions } from '../../distribution.js'

/**
 * pi's behaviour: skills of `.pi` in the working folder, of `.agents` up to the repository's root, then of
 * `~/.pi/agent` and `~/.agents`, and before each those that its `settings.json` names; Markdown files beside folders of
 * skills are skills too, and `.gitignore`, `.ignore`, `.fdignore` and the settings leave skills out. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
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
        dialect: piFrontmatter,
        names: 'field',
        fallback: { from: 'nothing', otherwise: '' },
        fields: { only: ['name', 'description', 'disable-model-invocation'], booleans: 'only-true' },
      },
      sources: ({ layout, ...reading }) => {
        // Loose Markdown files, `skill.md` among them: beside the folders of skills in its own folders, and within them
        // in those of all agents.
        const host = processHost(options.host)
        const walk = (isProject: boolean, loose: 'root' | 'below') => ({
          ignores: piIgnores(host, isProject),
          ...layout,
          loose,
          ...(loose === 'root' && { otherCase: 'report' as const }),
        })
        const named = { settings: piFolders, base: piBase, root: { mayBeSkill: true }, order: -1, ...reading }
        return [
          ...machinePolicy(options.managed),
          namedFolders({
            id: 'project-settings',
            source: 'project',
            isProject: true,
            ...named,
            layout: walk(true, 'root'),
          }),
          projectSource({
            folders: [{ name: '.pi' }],
            linksTo,
            reach: 'working-folder',
            id: 'project-pi',
            ...reading,
            layout: walk(true, 'root'),
          }),
          projectSource({
            folders: agents,
            linksTo,
            reach: 'repository-or-all',
            order: 1,
            ...reading,
            layout: walk(true, 'below'),
          }),
          namedFolders({
            id: 'user-settings',
            source: 'user',
            isProject: false,
            ...named,
            layout: walk(false, 'root'),
          }),
          userSource({ folders: home, id: 'user-pi', ...reading, layout: walk(false, 'root') }),
          userSource({ folders: agents, order: 1, ...reading, layout: walk(false, 'below') }),
        ]
      },
    },
    options,
  )
}
