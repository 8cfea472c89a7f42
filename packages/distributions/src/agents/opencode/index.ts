import { defineDistribution } from '../../define-distribution.js'
import { opencodeLayout, opencodeLike, opencodeParts } from './parts.js'
import { opencodePermission } from './permission.js'
import { opencodeNamed } from './settings.js'
import { skillContent, untouchedText } from './skill-content.js'
import type { Host } from '@skills/core'
import type { AgentFolder } from '@skills/files/internal'

const isOff = (env: Host['env'], ...names: readonly string[]): boolean =>
  names.some(name => /^(?:1|true)$/i.test(env[name] ?? ''))
/** Folders of other agents, and those shared by all agents. */
const others = ({ env }: Host): readonly AgentFolder[] => {
  if (isOff(env, 'OPENCODE_DISABLE_EXTERNAL_SKILLS')) return []
  const withoutClaude = isOff(env, 'OPENCODE_DISABLE_CLAUDE_CODE', 'OPENCODE_DISABLE_CLAUDE_CODE_SKILLS')
  return [...(withoutClaude ? [] : [{ name: '.claude' }]), { name: '.agents' }]
}

/**
 * Distribution that follows OpenCode: skills of `.claude`, `.agents` and `.opencode` up to the repository's root and in
 * the home folder, and of folders that `opencode.json` names. Skills have the name in their frontmatter; if several
 * have the same name, the one found last wins. The listing is XML in the description of the tool `skill`, whose result
 * is the unchanged body with the files beside it. Permission rules are wildcards, of `opencode.json` and of the host; the
 * last one that matches decides. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const opencode = defineDistribution({
  ...opencodeLike,
  name: 'opencode',
  checked: { program: 'OpenCode', version: '1.18.33', on: '2026-11-22' },
  traces: {
    programs: ['opencode'],
    home: ['.opencode', '.config/opencode', '.local/share/opencode'],
    project: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  },
  says: '`.claude`, `.agents` and `.opencode` up to the repository and of the user, strict YAML with colons as text, names from the frontmatter',
  tellsCaseTwins: true,
  precedence: [...opencodeNamed.precedence, ...opencodeLike.precedence],
  layout: opencodeLayout,
  tool: { ...opencodeLike.tool, textIn: skillContent },
  plugins: ({ host }) => [
    ...opencodeParts(host, {
      others,
      own: ['.opencode'],
      reach: 'repository-or-all',
      wildcards: opencodePermission(host),
      trusts: opencodeNamed.trust(host),
    }),
    opencodeNamed.sources,
    ...untouchedText,
  ],
})
