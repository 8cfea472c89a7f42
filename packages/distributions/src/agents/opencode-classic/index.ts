import { defineDistribution } from '../../define-distribution.js'
import { opencodeLike, opencodeParts } from '../opencode/parts.js'
import type { Host } from '@skills/core'
import type { AgentFolder } from '@skills/files/internal'

const others = ({ env }: Host): readonly AgentFolder[] =>
  (env['OPENCODE_DISABLE_CLAUDE_CODE_SKILLS'] ?? '') === '' ? [{ name: '.claude' }] : []

/**
 * Distribution that follows OpenCode of early 2026. Skills have the name in their frontmatter; if several have the same
 * name, the one found last wins. The listing is XML in the description of the tool `skill`. Permission rules are
 * wildcards, given as `rules: { wildcards }`; the last one that matches decides. See docs/reference/distributions.md,
 * "Distributions", and docs/conformance.md.
 */
export const opencodeClassic = defineDistribution({
  ...opencodeLike,
  name: 'opencode-classic',
  showsPaths: true,
  says: "names from the frontmatter, the one found last counts, XML in the tool's description, wildcard rules",
  layout: {
    nested: true,
    dialect: 'colons',
    skipped: [],
    depth: Infinity,
    folders: Infinity,
    names: 'field',
    required: ['name', 'description'],
    fields: { only: ['name', 'description'] },
  },
  tool: { ...opencodeLike.tool, textIn: 'result' },
  plugins: ({ host }) => [
    ...opencodeParts(host, { others, reach: 'repository', safe: false }),
    [
      'text',
      {
        header: ({ name, baseDir = '' }) => `## Skill: ${name}\n\n**Base directory**: ${baseDir}`,
        arguments: false,
        variables: 'none',
        baseDirBraces: false,
        escapes: 'none',
      },
    ],
    ['shell', { inline: 'anywhere', fences: 'look' }],
    ['files'],
  ],
})
