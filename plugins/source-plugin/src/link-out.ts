import type { Diagnostic } from '@skills/core'

/** A link that leads out of a plugin or a marketplace in words of those: whoever reads files takes what holds them for a project. */
export function linkOutOf(what: 'plugin' | 'marketplace', problem: Diagnostic): Diagnostic {
  if (problem.code !== 'link-escapes') return problem
  return {
    ...problem, message: problem.message.replace(/outside the project, and is not read\.$/, `outside the ${what}, and is not read.`),
    hint: `Copy it into the ${what}.`,
  }
}
