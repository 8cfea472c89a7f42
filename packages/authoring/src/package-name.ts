import { builtinModules } from 'node:module'
import { sourceNames } from '@skills/files/source'
import { checkSkillName, type NameProblem } from './skill-name.js'

/** Most characters that npm allows in a name, including its scope. */
const longest = 214

/** Returns the part of a package's name that names the plugin. */
export function unscoped(name: string): string {
  return name.replace(/^@[^/]*\//, '')
}

/** Returns a sentence with the reason why npm would not publish a package under a name; undefined if npm would. */
export function npmNameProblem(name: string): string | undefined {
  const quoted = JSON.stringify(name)
  if (name.length > longest) return `${quoted} has ${name.length} characters; npm allows ${longest}.`
  if (!/^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/.test(name)) {
    return `${quoted} is not a valid name of a package. A name has lower-case letters a to z, digits and hyphens, and may have a scope, as in @acme/tools.`
  }
  if (['node_modules', 'favicon.ico'].includes(name) || builtinModules.includes(name))
    return `${quoted} is a name that npm reserves.`
  return undefined
}

/**
 * Returns the reason why a new plugin package cannot have a name, by the rules of npm and of plugins: the last part of
 * the name consists of letters a to z and digits with single hyphens, and is not the name of a source. Returns
 * undefined if the name is valid.
 */
export function checkPackageName(name: string): NameProblem | undefined {
  const own = unscoped(name)
  const scope = name.slice(0, name.length - own.length)
  const message = breach(name, own)
  if (message === undefined) return undefined
  const near = checkSkillName(own)?.nearest ?? own
  const nearest = `${scope.toLowerCase()}${near}`
  return nearest === name || breach(nearest, near) !== undefined ? { message } : { message, nearest }
}

function breach(name: string, own: string): string | undefined {
  // Such names are prefixes of other commands' names, so no host loads a plugin with one.
  if (sourceNames.includes(own))
    return `A plugin cannot be called "${own}": its commands would look like commands of a source.`
  return npmNameProblem(name) ?? checkSkillName(own)?.message
}
