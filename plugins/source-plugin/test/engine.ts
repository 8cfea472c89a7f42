import { createSkills, type Catalog, type Diagnostic, type Host, type PromptCommand, type Skills } from '@skills/core'
import { fakeClock, fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { pluginSource, type PluginSourceOptions } from '../src/index.js'
import type { SkillPlugin } from '@skills/skill-md/internal'

export function temporary(entries: TreeEntries): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

/** Returns `.claude-plugin/plugin.json` in `folder`. */
export function manifest(folder: string, data: object | string): TreeEntries {
  return { [`${folder}/.claude-plugin/plugin.json`]: typeof data === 'string' ? data : JSON.stringify(data, null, 2) }
}

/** Returns `.claude-plugin/marketplace.json` in `folder`. */
export function marketplace(folder: string, plugins: readonly unknown[], rest: object = {}): TreeEntries {
  return {
    [`${folder}/.claude-plugin/marketplace.json`]: JSON.stringify(
      { name: 'market', owner: { name: 'Someone' }, ...rest, plugins },
      null,
      2,
    ),
  }
}

/** Makes an engine with only this source, on a host that works in `cwd` and has a clock later than every file. */
export function engine(cwd: string, options: PluginSourceOptions, host: Partial<Host> = {}): Skills {
  const skills = createSkills({
    host: fakeHost({ cwd, home: `${cwd}/home`, clock: fakeClock(Date.now() + 60_000), ...host }),
    plugins: [pluginSource(options)],
    onDiagnostic: () => {},
  })
  onTestFinished(() => skills.close())
  return skills
}

/** Loads the plugin `acme` in a tree of these entries, and the others that `options` name. */
export async function loaded(
  entries: TreeEntries,
  options: PluginSourceOptions = { plugins: ['acme'] },
): Promise<Catalog & { readonly path: string }> {
  const { path } = temporary(entries)
  return Object.assign(await engine(path, options).catalog(), { path })
}

export function namesOf({ entries }: Pick<Catalog, 'entries'>): readonly string[] {
  return entries.map(({ name }) => name)
}

/** Formats each problem as `code field:line`. */
export function shortly(problems: readonly Diagnostic[]): readonly string[] {
  return problems.map(({ code, field, line }) =>
    [code, [field ?? '', line].filter(part => part !== undefined).join(':')].join(' ').replace(/ $/, ''),
  )
}

/** Command of this source, with its additional fields. */
export interface PluginCommand extends PromptCommand {
  readonly plugin: SkillPlugin
  resolveVariable(name: string): string | undefined
}

export function commandOf(catalog: Pick<Catalog, 'get'>, name: string): PluginCommand {
  const command = catalog.get(name)?.command
  if (command?.type !== 'prompt' || !('resolveVariable' in command))
    throw new Error(`There is no command "${name}" of a plugin.`)
  return command as PluginCommand
}

export async function bodyOf(command: PromptCommand): Promise<string> {
  const body = await command.load('', { signal: new AbortController().signal })
  if (!('template' in body)) throw new Error('not a template')
  return body.template
}
