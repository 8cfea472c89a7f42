// @ts-check
import { createSkills, processHost } from '@skills/core'
import { standard } from '@skills/distributions'

/**
 * Makes an engine of the standard distribution with only the skills of these folders: nothing built in, and nothing of
 * this machine.
 * @param {{ cwd: string, home: string, path?: string | undefined }} folders and the search path of programs
 * @param {Omit<Parameters<typeof standard>[0], 'onDiagnostic'>} [options] of the distribution
 */
export function engineIn({ cwd, home, path = process.env['PATH'] }, options) {
  const host = processHost({ cwd, home, env: { PATH: path } })
  const own = { host, managed: { dirs: [] }, bundled: /** @type {const} */ (false), onDiagnostic: () => {} }
  return { host, engine: createSkills(standard({ ...own, ...options })) }
}
