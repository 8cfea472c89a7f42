import { checkOptions, type AnyProvider } from '@skills/core'
import { builtinSource, type BuiltinSourceOptions } from '@skills/source-bundled/builtin'
import { defineDistribution } from '../../define-distribution.js'
import type { AgentFolder } from '@skills/files/internal'
import type { DistributionOptions } from '../../distribution.js'
import type { ProjectSourceOptions } from '@skills/source-project'

interface OwnOptions {
  /** Folders of a project that hold skills, and how far up they are searched. Default: `.claude` and `.agents`. */
  readonly project?: Pick<ProjectSourceOptions, 'reach'> & OwnFolders
  /** Folders of the user that hold skills, in the home folder or absolute. Default: `.claude`, `.agents`. */
  readonly user?: OwnFolders
  /** Formatter of the listing, in place of the one with a budget. The same as one in `plugins`. */
  readonly formatter?: AnyProvider & { readonly kind: 'formatter' }
  /** Further executors. One replaces the executor with the same id. */
  readonly executors?: readonly (AnyProvider & { readonly kind: 'executor' })[]
  /** True for four skills about writing skills, which the command line brings along. Default: false. */
  readonly authorSkills?: boolean | undefined
  /** Further commands of the host, or commands to leave out. `false`: none at all. Default: `/help` and `/skills`. */
  readonly builtin?: BuiltinSourceOptions | false | undefined
}

export type StandardOptions = DistributionOptions & OwnOptions

interface OwnFolders {
  /**
   * Highest first. For a name such as `.acme`, `.acme/skills` is read. An object has more options, such as commands.
   */
  readonly folders?: readonly (string | AgentFolder)[]
}

/**
 * Makes the default distribution: managed skills and policy, then the user's and the project's skills of `.claude` and
 * `.agents`, searched at any depth, and the built-in commands. It has trust by folder,
 * permission rules, arguments and embedded commands, execution in the conversation or in a fork, hooks, and a listing
 * that divides its budget fairly among descriptions. Plugins that Claude Code has installed for the user are there.
 * Other plugins, servers and skills of the host are used only if a host names them. Code that
 * only an invocation needs is loaded with the first one. See docs/reference/distributions.md, "The standard
 * distribution".
 */
export const standard = defineDistribution<OwnOptions>({
  name: 'standard',
  says: 'the default, see above',
  own: { authorSkills: 1, builtin: 1, project: 1, user: 1, formatter: 1, executors: 1 },
  precedence: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin'],
  qualifyLosers: true,
  plugins: ({ authorSkills = false, builtin = {}, project = {}, user = {}, formatter, executors = [] }) => {
    checkOptions<NonNullable<OwnOptions['project']>>('project', project, { folders: 1, reach: 1 })
    checkOptions<OwnFolders>('user', user, { folders: 1 })
    return [
      ['managed'],
      ['user', user],
      ['project', project],
      ...(builtin === false ? [] : [() => builtinSource(builtin)]),
      // What Claude Code has installed for the user is part of the user's `.claude`.
      user.folders ? ['published'] : ['published', { installed: true }],
      ['mcp'],
      authorSkills
        ? ['bundled', { skills: async () => (await import('../../bundled-skills.js')).bundledSkills() }]
        : ['bundled'],
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
