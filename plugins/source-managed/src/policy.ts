import type { Diagnostic } from '@skills/core'

/** What one policy file says. */
export interface Policy {
  /** Absolute, forward slashes. */
  readonly path: string
  /** It could not be understood, so it forbids all that a policy can. */
  readonly isBroken: boolean
  readonly disabledSources: readonly string[]
  /** Undefined: every source that is not disabled. */
  readonly allowedSources?: readonly string[] | undefined
  readonly disabledSkills: readonly string[]
  readonly disableShell: boolean
  /** What is wrong with the file. */
  readonly problems: readonly Diagnostic[]
}

/** Sources that no policy switches off: the administrator's own, and the host's own commands. */
export const fixedSources: readonly string[] = ['managed', 'builtin']

/** A policy that could not be understood: it was meant to restrict, so everything that can be restricted is. */
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
