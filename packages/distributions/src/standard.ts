import { builtinSource, type BuiltinSourceOptions } from '@skills/source-builtin'
import { managedSource } from '@skills/source-managed'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from './compose.js'
import { projectLinks } from './project-links.js'
import type { Distribution, DistributionOptions } from './distribution.js'
import type { FileSourceOptions } from '@skills/skill-files'

export interface StandardOptions extends DistributionOptions {
  /** Whether what was read of the user's and the project's skills is kept on disk, so that the next start reads only what changed. Default: true. */
  readonly index?: FileSourceOptions['index']
  /** Further commands of the host, or ones to leave out; `false` for none at all. Default: `/help` and `/skills`. */
  readonly builtin?: BuiltinSourceOptions | false | undefined
}

/**
 * The default distribution: managed skills and policy, then the user's and the project's skills, of `.claude` and `.agents`,
 * searched deeply, four skills about skills, and the built-in commands; trust by folder, permission by rules, arguments and embedded
 * commands, execution in the conversation or in a fork, hooks, and a listing that shares its room fairly. Plugins and servers only
 * where a host names them. What only an invocation needs is read from disk with the first one.
 * See docs/reference.md, "The standard distribution".
 */
export function standard({ index = true, builtin = {}, ...options }: StandardOptions): Distribution {
  const { additional = [], managed } = options
  return compose({
    name: 'standard',
    precedence: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin'],
    qualifyLosers: true,
    sources: reading => [
      ...managedSource({ ...reading, ...managed }), userSource({ index, ...reading }), projectSource({ additional, index, linksTo: projectLinks(options, undefined), ...reading }), ...builtin === false ? [] : [builtinSource(builtin)],
    ],
    published: {},
    mcp: {},
    hasBundled: true,
    bundledSkills: async () => (await import('./bundled-skills.js')).bundledSkills(),
    activation: {},
    shell: {},
    fork: {},
    hooks: {},
    tool: { suggests: true },
    leavesOutDenied: true,
  }, options, { index: 1, builtin: 1 })
}
