// @ts-check
import { createSkills, processHost } from '@skills/core'
import { standard } from '@skills/distributions'

/**
 * An engine of the standard distribution with the skills of these folders alone: nothing that is built in, nothing of
 * the machine.
 * @param {{ cwd: string, home: string, path?: string | undefined }} folders and the search path of programs
 * @param {Omit<Parameters<typeof standard>[0], 'onDiagnostic'>} [options] of the distribution
 */
export function engineIn({ cwd, home, path = process.env['PATH'] }, options) {
  const host = processHost({ cwd, home, env: { PATH: path } })
  const own = { host, managed: { dirs: [] }, bundled: /** @type {const} */ (false), onDiagnostic: () => {} }
  return { host, engine: createSkills(standard({ ...own, ...options })) }
}
