import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from '../../compose.js'
import { machinePolicy } from '../../machine-policy.js'
import { projectLinks } from '../../project-links.js'
import type { Distribution, DistributionOptions } from '../../distribution.js'

/**
 * A small agent's behaviour: the project's skills before the user's, frontmatter in lines, the listing in the system
 * prompt, and a skill as one plain message. A `/name` that is no skill is said to the model. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export function mini(options: DistributionOptions): Distribution {
  const folders = [{ name: '.claude' }]
  return compose(
    {
      name: 'mini',
      precedence: ['project', 'user'],
      identityOf: () => undefined,
      layout: {
        walk: 'flat',
        otherCase: 'report',
        dialect: 'lines',
        names: 'field',
        fallback: { from: 'nothing', otherwise: '' },
        fields: {
          only: ['name', 'description', 'when_to_use', 'allowed-tools', 'user-invocable', 'context'],
          booleans: 'only-false',
          toolSeparator: 'comma',
        },
      },
      sources: reading => [
        ...machinePolicy(options.managed),
        userSource({ folders, wins: 'last', ...reading }),
        projectSource({
          folders,
          linksTo: projectLinks(options, folders),
          reach: 'working-folder',
          wins: 'last',
          ...reading,
        }),
      ],
      visibility: { isDescribed: () => true, skillsOnly: false },
      text: {
        header: false,
        digits: 'none',
        names: false,
        appended: false,
        variables: ['CLAUDE_SKILL_DIR'],
        baseDirBraces: false,
        escapes: 'none',
      },
      shell: false,
      // A skill's list of tools is a limit there, and gives nothing.
      inline: { messages: 'plain', repeated: 'whole', grants: 'none', strict: true },
      fork: { prompt: 'system', emptyResult: '(Skill produced no output)', without: ['agent'] },
      listing: { strategy: 'grouped' },
      // A skill itself is not asked about; what it does is asked about as any other tool call.
      rules: { files: [], allow: ['Skill'] },
      invoker: { slash: { separator: 'space', most: 1 }, unknownSlash: 'chat', userContext: 'inline' },
      tool: {
        name: 'skill',
        nameParameter: 'skill_name',
        listingIn: 'system',
        textIn: 'result',
        resultText: ({ data }, given) =>
          data.status === 'inline' && given ? `[Skill "${given.entry.name}" activated]\n\n${given.text}` : undefined,
      },
    },
    options,
  )
}
