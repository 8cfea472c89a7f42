import type { Command, Note } from '@skills/core'
import { statOf } from '@skills/files/internal'
import { listsSkills } from './plugin-roots.js'
import type { KnownPlugins } from './plugin-registry.js'
import type { Plugin } from './plugin.js'

/** Most names of a plugin's commands that are shown. */
const mostShown = 10

/** Explains a name of the form `acme:deploy`, or the name of a plugin. */
export function explainPlugin(
  name: string,
  command: Command | undefined,
  { plugins, absent }: KnownPlugins,
  commands: readonly Command[],
): readonly Note[] {
  const [first = ''] = (command?.type === 'prompt' ? (command.pluginName ?? '') : name).split(':')
  const plugin = plugins.find(one => one.name === first)
  // A command that lost its name is no explanation for an existing command.
  const missed = command === undefined ? (absent.get(first) ?? []) : []
  if (plugin === undefined) return missed
  const { path } = plugin
  const came: Note = { path, text: originOf(plugin) }
  const silent: readonly Note[] =
    plugin.installed !== undefined && hasHooks(plugin)
      ? [
          {
            path,
            text: 'Its hooks run in Claude Code alone. To run them here too, name its folder under "plugins" in your own configuration.',
          },
        ]
      : []
  if (command !== undefined) return [came, ...silent]
  const own = [...commands, ...plugin.commands]
    .filter(one => one.type === 'prompt' && one.pluginName === first)
    .map(one => one.name)
  const shown = own.length > mostShown ? [...own.slice(0, mostShown), `${own.length - mostShown} more`] : own
  return [
    came,
    ...silent,
    {
      path,
      text: own.length === 0 ? 'The plugin has no commands.' : `The plugin has these commands: ${shown.join(', ')}.`,
    },
    ...unlisted(plugin, name),
    ...missed,
  ]
}

function hasHooks({ path, manifest }: Plugin): boolean {
  return manifest.hooks.length > 0 || statOf(`${path}/hooks/hooks.json`) !== undefined
}

function originOf({ path, from, title, installed }: Plugin): string {
  if (installed === undefined)
    return `The plugin ${title} at ${path} is named ${from === 'command-line' ? 'on the command line' : `by the ${from} configuration`}.`
  const came = `The plugin ${title} at ${path} was installed by Claude Code as "${installed.id}", and "enabledPlugins" in ${installed.settings} switches it on.`
  return from === 'project'
    ? `${came} Only the project switches it on, so none of its embedded commands runs. They can run once your own "enabledPlugins" has ${JSON.stringify(installed.id)}: true.`
    : came
}

/** Explains a skill in the folder `skills` of a plugin whose manifest lists other ones there. */
function unlisted({ manifest, path, name: first }: Plugin, name: string): readonly Note[] {
  const parts = name.split(':').slice(1)
  if (manifest.file === undefined || !listsSkills(manifest, path) || parts.some(part => !/^[\w-][\w.-]*$/.test(part)))
    return []
  const folder = [path, 'skills', ...parts].join('/')
  return statOf(`${folder}/SKILL.md`) === undefined
    ? []
    : [
        {
          path: folder,
          text: `${folder} has a SKILL.md, but ${manifest.file} does not list it among the skills of "${first}".`,
        },
      ]
}
