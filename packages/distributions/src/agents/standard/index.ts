import { checkOptions, type AnyProvider } from '@skills/core'
import { builtinSource, type BuiltinSourceOptions } from '@skills/source-builtin'
import { managedSource } from '@skills/source-managed'
import { projectSource, type ProjectSourceOptions } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import { compose } from '../../compose.js'
import { projectLinks } from '../../project-links.js'
import type { Distribution, DistributionOptions } from '../../distribution.js'
import type { AgentFolder } from '@skills/files/source'

export interface StandardOptions extends DistributionOptions {
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
export function standard({
  builtin = {},
  project = {},
  user = {},
  formatter,
  executors = [],
  ...given
}: StandardOptions): Distribution {
  checkOptions<NonNullable<StandardOptions['project']>>('project', project, { folders: 1, reach: 1 })
  checkOptions<OwnFolders>('user', user, { folders: 1 })
  const options = { ...given, plugins: [...(given.plugins ?? []), ...(formatter ? [formatter] : []), ...executors] }
  const { additional = [], managed } = options
  return compose(
    {
      name: 'standard',
      precedence: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin'],
      qualifyLosers: true,
      sources: reading => [
        ...managedSource({ ...reading, ...managed }),
        userSource({ ...user, ...reading }),
        projectSource({ additional, linksTo: projectLinks(options, user.folders), ...project, ...reading }),
        ...(builtin === false ? [] : [builtinSource(builtin)]),
      ],
      published: {},
      mcp: {},
      hasBundled: true,
      bundledSkills: async () => (await import('../../bundled-skills.js')).bundledSkills(),
      activation: { folders: project.folders },
      shell: {},
      fork: {},
      hooks: {},
      tool: { suggests: true },
      leavesOutDenied: true,
    },
    options,
    { builtin: 1, project: 1, user: 1, formatter: 1, executors: 1 },
  )
}
