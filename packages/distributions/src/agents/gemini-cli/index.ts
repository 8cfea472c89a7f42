import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from '../../compose.js'
import { geminiFrontmatter } from './frontmatter.js'
import { geminiSettings } from './settings.js'
import { machinePolicy } from '../../machine-policy.js'
import { projectLinks } from '../../project-links.js'
import { largeFile, readAsFile } from '../../read-as-file.js'
import type { Distribution, DistributionOptions } from '../../distribution.js'

/**
 * Gemini CLI's behaviour: skills of `.agents`, then of `.gemini`, in the working folder alone and then in the home
 * folder, one folder deep, with both fields read as YAML or else as lines; no model is told of those that
 * `skills.disabled` of its settings names. See docs/reference/distributions.md, "Distributions", and
 * docs/conformance.md.
 */
export function geminiCli(options: DistributionOptions): Distribution {
  const folders = [{ name: '.agents' }, { name: '.gemini' }]
  return compose(
    {
      ...readAsFile,
      name: 'gemini-cli',
      precedence: ['project', 'user'],
      layout: {
        nested: true,
        mayBeSkill: true,
        depth: 1,
        otherCase: 'report',
        fileBytes: largeFile,
        dialect: geminiFrontmatter,
        names: 'field',
        fallback: { from: 'nothing', otherwise: '' },
        fields: { only: ['name', 'description'] },
      },
      sources: reading => [
        ...machinePolicy(options.managed),
        ...geminiSettings(),
        projectSource({ folders, linksTo: projectLinks(options, folders), reach: 'working-folder', ...reading }),
        userSource({ folders, ...reading }),
      ],
    },
    options,
  )
}
