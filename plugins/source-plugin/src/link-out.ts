import type { Diagnostic } from '@skills/core'

/**
 * Rewords the problem of a link that leads out of a plugin or a marketplace, because the reader of files calls every
 * such folder a project.
 */
export function linkOutOf(what: 'plugin' | 'marketplace', problem: Diagnostic): Diagnostic {
  if (problem.code !== 'link-escapes') return problem
  return {
    ...problem,
    message: problem.message.replace(/outside the project\.$/, `outside the ${what}.`),
    hint: `Copy it into the ${what}.`,
  }
}
