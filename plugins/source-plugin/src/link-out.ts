import type { Diagnostic } from '@skills/core'

/**
 * A link that leads out of a plugin or a marketplace in words of those: the reader of files calls any such folder a
 * project.
 */
export function linkOutOf(what: 'plugin' | 'marketplace', problem: Diagnostic): Diagnostic {
  if (problem.code !== 'link-escapes') return problem
  return {
    ...problem,
    message: problem.message.replace(
      /outside the project, and is not read\.$/,
      `outside the ${what}, and is not read.`,
    ),
    hint: `Copy it into the ${what}.`,
  }
}
