// @ts-check
import { root } from '../../packages/config/workspace.mjs'
import { loaded } from '../load-sources.mjs'

/** @typedef {{ program: string, project: readonly string[], home: readonly string[], from: readonly string[], on: string }} Placed */

/** Returns the table of the agents of which only the places are known. @returns {Promise<string>} */
export async function placesTable() {
  const { placedAgents } = await loaded(
    root,
    "export { placedAgents } from './packages/distributions/src/placed-agents.ts'\n",
  )
  /** @type {Readonly<Record<string, Placed>>} */
  const all = placedAgents
  const folders = (/** @type {readonly string[]} */ paths, before = '') =>
    paths.map(folder => `\`${before}${folder}\``).join(', ')
  const rows = Object.entries(all).map(
    ([name, { program, project, home, from, on }]) =>
      `| \`${name}\` | ${program} | ${folders(project)} | ${folders(home, '~/')} | ${from.join(', ')} | ${on} |`,
  )
  return `| name | program | project | home | documents | read on |\n|---|---|---|---|---|---|\n${rows.join('\n')}`
}
