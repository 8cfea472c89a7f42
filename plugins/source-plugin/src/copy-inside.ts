import type { Diagnostic } from '@skills/core'

/** Gives the problem of a link that leads out of a plugin or a marketplace the hint that helps there. */
export function copyInside(folder: 'plugin' | 'marketplace', problem: Diagnostic): Diagnostic {
  return problem.code === 'link-escapes' ? { ...problem, hint: `Copy it into the ${folder}.` } : problem
}
