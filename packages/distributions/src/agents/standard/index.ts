import { checkOptions, type AnyProvider } from '@skills/core'
import { builtinSource, type BuiltinSourceOptions } from '@skills/source-bundled/builtin'
import { defineDistribution } from '../../define-distribution.js'
import type { AgentFolder } from '@skills/files/internal'
import type { DistributionOptions } from '../../distribution.js'
import type { ProjectSourceOptions } from '@skills/source-project'

interface OwnOptions {
  /** Which folders of a project hold skills, instead of `.claude` and `.agents`, and how far up they are looked for. */
  readonly project?: Pick<ProjectSourceOptions, 'reach'> & OwnFolders
  /** Which folders in the user's home do, or absolute ones. Default: `.claude`, `.agents`. */
  readonly user?: OwnFolders
  /** What tells a model which skills there are, instead of the budget's: `plugins` in one word. */
  readonly formatter?: AnyProvider & { readonly kind: 'formatter' }
  /** Executors besides, or instead of those with their ids. */
  readonly executors?: readonly (AnyProvider & { readonly kind: 'executor' })[]
  /** Further commands of the host, or ones to leave out; `false` for none at all. Default: `/help` and `/skills`. */
  readonly builtin?: BuiltinSourceOptions | false | undefined
}

export type StandardOptions = DistributionOptions & OwnOptions

interface OwnFolders {
  /** Highest first; of a name such as `.acme`, `.acme/skills` is read; an object says more, as legacy commands. */
  readonly folders?: readonly (string | AgentFolder)[]
}

/**
 * The default distribution: managed skills and policy, then the user's and the project's skills, of `.claude` and
 * `.agents`, searched deeply, four skills about skills, and the built-in commands; trust by folder, permission by
 * rules, arguments and embedded commands, execution in the conversation or in a fork, hooks, and a listing that shares
 * its room fairly. Plugins and servers only where a host names them. What only an invocation needs is read from disk
 * with the first one. See docs/reference/distributions.md, "The standard distribution".
 */
export const standard = defineDistribution<OwnOptions>({
  name: 'standard',
  says: 'the default, see above',
  own: { builtin: 1, project: 1, user: 1, formatter: 1, executors: 1 },
  precedence: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin'],
  qualifyLosers: true,
  plugins: ({ builtin = {}, project = {}, user = {}, formatter, executors = [] }) => {
    checkOptions<NonNullable<OwnOptions['project']>>('project', project, { folders: 1, reach: 1 })
    checkOptions<OwnFolders>('user', user, { folders: 1 })
    return [
      ['managed'],
      ['user', user],
      ['project', project],
      ...(builtin === false ? [] : [() => builtinSource(builtin)]),
      ['published'],
      ['mcp'],
      ['bundled', { skills: async () => (await import('../../bundled-skills.js')).bundledSkills() }],
      ['activation', { folders: project.folders }],
      ['shell'],
      ['fork'],
      ['hooks'],
      ...(formatter ? [formatter] : []),
      ...executors,
    ]
  },
  tool: { suggests: true },
  leavesOutDenied: true,
})
