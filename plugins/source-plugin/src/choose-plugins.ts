import { isDeepStrictEqual } from 'node:util'
import { closestNames, type Diagnostic, type Place } from '@skills/core'
import type { Manifest } from './manifest.js'
import type { Plugin } from './plugin.js'

/** Plugin that can be loaded, with its real path. */
export interface Candidate {
  readonly plugin: Plugin
  readonly realPath: string
}

export interface Chosen {
  readonly plugins: readonly Plugin[]
  readonly problems: readonly Diagnostic[]
  readonly places: readonly Place[]
}

/** Selects the plugins to load. If several plugins have the same name, the first one is loaded. */
export function choosePlugins(candidates: readonly Candidate[]): Chosen {
  const byName = new Map<string, Candidate>()
  const problems: Diagnostic[] = []
  const places: Place[] = []
  for (const candidate of candidates) {
    const { plugin, realPath } = candidate
    const first = byName.get(plugin.name)
    if (first === undefined) {
      byName.set(plugin.name, candidate)
      continue
    }
    if (first.realPath === realPath && isOneManifest(first.plugin.manifest, plugin.manifest)) continue
    const at = (one: Plugin): string => `${one.path}${one.version === undefined ? '' : ` (${one.version})`}`
    const { installed } = plugin
    const note = `The plugin at ${at(first.plugin)} has the same name, "${plugin.name}", and comes first.`
    places.push({ path: plugin.path, state: 'skipped', found: 0, note })
    // A person who names a plugin means it in place of the installed one.
    if (installed !== undefined && first.plugin.installed === undefined) continue
    problems.push({
      severity: 'error',
      type: 'validation',
      code: 'plugin-name-taken',
      path: plugin.manifest.file ?? plugin.path,
      name: plugin.name,
      message: `The plugin "${plugin.name}" at ${at(plugin)} is not loaded: the plugin at ${at(first.plugin)} has the same name and comes first.`,
      hint:
        installed === undefined
          ? 'Rename one of the two plugins, or configure only one of them.'
          : `Switch one of them off in Claude Code, which knows this one as "${installed.id}".`,
    })
  }
  const plugins = [...byName.values()].map(({ plugin }) => plugin)
  return { plugins, places, problems: [...problems, ...missingDependencies(plugins), ...cycles(plugins)] }
}

/** True if two plugins of one folder are the same plugin, named twice, as under two names in one marketplace. */
function isOneManifest(a: Manifest, b: Manifest): boolean {
  return (!a.isEntry && !b.isEntry) || isDeepStrictEqual(a, b)
}

function missingDependencies(plugins: readonly Plugin[]): readonly Diagnostic[] {
  const names = plugins.map(({ name }) => name)
  return plugins.flatMap(({ name, path, manifest }) =>
    manifest.dependencies
      .filter(wanted => !names.includes(wanted))
      .map((wanted): Diagnostic => {
        const [close] = closestNames(wanted, names, 1)
        return {
          severity: 'warning',
          type: 'validation',
          code: 'missing-dependency',
          path: manifest.file ?? path,
          field: 'dependencies',
          name,
          message: `The plugin "${name}" depends on the plugin "${wanted}", which is not loaded.`,
          hint: close === undefined ? `Configure the plugin "${wanted}" too.` : `Did you mean "${close}"?`,
        }
      }),
  )
}

/** Reports plugins that depend on each other, each cycle once. They are loaded anyway. */
function cycles(plugins: readonly Plugin[]): readonly Diagnostic[] {
  const byName = new Map(plugins.map(plugin => [plugin.name, plugin]))
  const done = new Set<string>()
  const found: Diagnostic[] = []
  // A stack of plugins, each with its next dependency, because recursion over a long chain would overflow.
  for (const { name: start } of plugins) {
    const way: { readonly name: string; next: number }[] = done.has(start) ? [] : [{ name: start, next: 0 }]
    for (let at = way.at(-1); at !== undefined; at = way.at(-1)) {
      const plugin = byName.get(at.name)
      const wanted = plugin?.manifest.dependencies[at.next++]
      if (plugin === undefined || wanted === undefined) {
        done.add(at.name)
        way.pop()
        continue
      }
      const since = way.findIndex(({ name }) => name === wanted)
      if (since >= 0) {
        const cycle = [...way.slice(since).map(({ name }) => name), wanted].join(' → ')
        found.push({
          severity: 'error',
          type: 'validation',
          code: 'dependency-cycle',
          path: plugin.manifest.file ?? plugin.path,
          field: 'dependencies',
          name: plugin.name,
          message: `Plugins depend on each other in a cycle: ${cycle}.`,
          hint: 'The plugins are loaded anyway. Remove one of the dependencies.',
        })
      } else if (!done.has(wanted) && byName.has(wanted)) way.push({ name: wanted, next: 0 })
    }
  }
  return found
}
