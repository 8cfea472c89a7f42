import { processHost, type Host } from '@skills/core'
import { compose } from '../../compose.js'
import { opencodeFrontmatter } from './frontmatter.js'
import { opencodeNamed } from './settings.js'
import { opencodeParts } from './parts.js'
import { largeFile } from '../../read-as-file.js'
import type { AgentFolder } from '@skills/files/source'
import type { Distribution, DistributionOptions } from '../../distribution.js'

const isOff = (env: Host['env'], ...names: readonly string[]): boolean =>
  names.some(name => /^(?:1|true)$/i.test(env[name] ?? ''))
/** Folders of other agents, and of all. */
const others = ({ env }: Host): readonly AgentFolder[] => {
  if (isOff(env, 'OPENCODE_DISABLE_EXTERNAL_SKILLS')) return []
  const withoutClaude = isOff(env, 'OPENCODE_DISABLE_CLAUDE_CODE', 'OPENCODE_DISABLE_CLAUDE_CODE_SKILLS')
  return [...(withoutClaude ? [] : [{ name: '.claude' }]), { name: '.agents' }]
}

/**
 * OpenCode's behaviour: skills of `.claude`, `.agents` and `.opencode` up to the repository's root and in the home
 * folder, and of folders that `opencode.json` names, go by the name in their frontmatter, of several the one found last
 * counts, the listing stands as XML in the description of the tool `skill`, and the last wildcard that matches decides.
 * Rules are given as `rules: { wildcards }`. See docs/reference/distributions.md, "Distributions", and
 * docs/conformance.md.
 */
export function opencode(options: DistributionOptions): Distribution {
  const parts = opencodeParts(options, { others, own: ['.opencode'], reach: 'repository-or-all' })
  return compose(
    {
      ...parts,
      name: 'opencode',
      precedence: [...opencodeNamed.precedence, ...parts.precedence],
      sources: reading => [...parts.sources(reading), ...opencodeNamed.sources(reading)],
      trust: { sources: { ...parts.trust?.sources, ...opencodeNamed.trust(processHost(options.host)) } },
      layout: {
        nested: true,
        mayBeSkill: true,
        otherCase: 'report',
        fileBytes: largeFile,
        dialect: opencodeFrontmatter,
        fallback: { from: 'nothing', otherwise: '' },
        skipped: [],
        depth: Infinity,
        folders: Infinity,
        names: 'field',
        fields: { only: ['name', 'description'] },
      },
    },
    options,
  )
}
