import { processHost, type Host, type Plugin, type SkillsOptions } from '@skills/core'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'

export interface StandardOptions extends Pick<SkillsOptions, 'onDiagnostic'>, Partial<Omit<SkillsOptions, 'onDiagnostic' | 'plugins' | 'host'>> {
  /** What is known better than by asking this process, such as `cwd` and `home`. */
  readonly host?: Partial<Host>
  /** Further folders whose skills count as the project's, absolute. */
  readonly additional?: readonly string[]
  /** Plugins beyond the distribution's own. */
  readonly plugins?: readonly Plugin[]
}

/**
 * The default distribution: the user's and the project's skills, of `.claude` and `.agents`, searched deeply.
 * See docs/reference.md, "The standard distribution".
 */
export function standard({ host = {}, additional = [], plugins = [], ...options }: StandardOptions): SkillsOptions {
  return {
    precedence: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin'],
    ...options,
    host: processHost(host),
    plugins: [userSource(), projectSource({ additional }), ...plugins],
  }
}
