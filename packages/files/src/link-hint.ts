import { dirname } from 'node:path'
import { loadResult, type Diagnostic, type LoadResult } from '@skills/core'
import { lstatOf, realPathOf } from './real-path.js'
import { configurationNames, userConfigurationFolder, type PlaceHost } from './user-configuration.js'

/**
 * Returns the path of the user's configuration file, which may not exist: `skills.config.json`, unless the folder has a
 * configuration file of another name. Undefined without a home folder.
 */
export function userConfigurationPath(host: PlaceHost): string | undefined {
  const own = userConfigurationFolder(host)
  if (own === undefined) return undefined
  const name = configurationNames.find(one => lstatOf(`${own}/${one}`) !== undefined)
  return `${own}/${name ?? configurationNames[1]}`
}

/** Gives the problem of a link that leads too far the line that allows it, and the file of the user to write it in. */
export function withLinkHint(problem: Diagnostic, host: PlaceHost): Diagnostic {
  if (problem.code !== 'link-escapes' || problem.path === undefined) return problem
  const [target, file] = [realPathOf(problem.path), userConfigurationPath(host)]
  if (target === undefined || file === undefined) return problem
  return {
    ...problem,
    hint: `Copy the target into the project, or write "linksTo": [${JSON.stringify(dirname(target))}] in ${file}.`,
  }
}

/** Returns a result in which such problems have this hint. */
export function withLinkHints(result: LoadResult, host: PlaceHost): LoadResult {
  return loadResult({ ...result, errors: result.errors.map(error => withLinkHint(error, host)) })
}
