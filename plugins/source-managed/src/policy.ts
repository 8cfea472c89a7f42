import type { Diagnostic } from '@skills/core'

/** Content of one policy file. */
export interface Policy {
  /** Absolute path with forward slashes. */
  readonly path: string
  /** True if it could not be understood. Then it forbids everything that a policy can forbid. */
  readonly isBroken: boolean
  readonly disabledSources: readonly string[]
  /** Undefined for every source that is not disabled. */
  readonly allowedSources?: readonly string[] | undefined
  readonly disabledSkills: readonly string[]
  readonly disableShell: boolean
  /** Problems of the file. */
  readonly problems: readonly Diagnostic[]
}

/** Sources that no policy switches off: the administrator's own, and the host's own commands. */
export const fixedSources: readonly string[] = ['managed', 'builtin']

/**
 * Makes the policy for a file that could not be understood. It forbids everything, because the purpose of such a file
 * is to forbid.
 */
export function brokenPolicy(path: string, problem: Diagnostic): Policy {
  return {
    path,
    isBroken: true,
    disabledSources: [],
    allowedSources: [],
    disabledSkills: [],
    disableShell: true,
    problems: [problem],
  }
}
