import { managedSource } from '@skills/source-managed'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { authoredOnly } from '../../authored.js'
import { compose } from '../../compose.js'
import { projectLinks } from '../../project-links.js'
import type { Distribution, DistributionOptions } from '../../distribution.js'

/**
 * Claude Code's behaviour of early 2026: flat `.claude` folders up to the home folder, skills in code first, an equal
 * share for each description in the listing, `$0` to `$9` and `${ARGn}`, and embedded commands side by side. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export function claudeCode2026q1(options: DistributionOptions): Distribution {
  const { additional = [], managed } = options
  const folders = ['.claude']
  return compose(
    {
      name: 'claude-code-2026q1',
      visibility: authoredOnly,
      // Plugins that are built in and workflows are a host's own to give.
      precedence: [
        'bundled',
        'builtin-plugin',
        'managed',
        'user',
        'project',
        'additional',
        'legacy',
        'workflow',
        'plugin',
        'builtin',
        'mcp',
      ],
      layout: { walk: 'flat', otherCase: 'report', fallback: { from: 'heading' } },
      sources: reading => [
        ...managedSource({ ...reading, ...managed }),
        userSource({ folders, ...reading }),
        projectSource({ folders, linksTo: projectLinks(options, folders), reach: 'home', additional, ...reading }),
      ],
      published: { first: 'commands' },
      mcp: { enabled: false, normalise: 'server', skills: false },
      hasBundled: true,
      activation: { folders, clash: 'deepest-wins' },
      text: { braces: false, digits: 'one', argN: true, baseDirBraces: false },
      shell: { order: 'parallel', fences: 'look', onError: 'abort' },
      inline: { label: 'name', repeated: 'whole' },
      fork: {},
      hooks: {},
      listing: { strategy: 'proportional', maxDescription: 250, escape: 'angles', showsDisplayName: true },
      rules: { prefix: 'text' },
      tool: { tellsLoadErrors: false },
    },
    options,
  )
}
