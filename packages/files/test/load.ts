import { chmodSync } from 'node:fs'
import { fileSource, type FileSourceOptions, type SkillRoot } from '@skills/files/source'
import { fakeClock, fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import type { Command, Diagnostic, Host, LoadResult, PromptCommand, Provider, SetupContext, Source } from '@skills/core'

/** Makes a temporary tree that other users may enter. The end of the test removes it. */
export function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  chmodSync(tree.path, 0o755)
  onTestFinished(() => tree.dispose())
  return tree
}

/** Makes a host whose clock is ahead, so that every existing file counts as settled. */
export function laterHost(overrides: Partial<Host> = {}): Host {
  return fakeHost({ clock: fakeClock(Date.now() + 60_000), ...overrides })
}

export interface Started {
  readonly source: Source
  /** Paths that the source reported as out of date. */
  readonly invalidated: (readonly string[] | undefined)[]
  list(signal?: AbortSignal): Promise<LoadResult>
  refresh(paths?: readonly string[], signal?: AbortSignal): Promise<LoadResult | undefined>
}

/** Sets a source up as an engine does, without an engine. */
export async function start(provider: Provider<'source'>, host = laterHost()): Promise<Started> {
  const invalidated: (readonly string[] | undefined)[] = []
  const unused = (): never => {
    throw new Error('A file source has no use for this.')
  }
  const never = new AbortController().signal
  const context: SetupContext = {
    signal: never,
    host,
    report: unused,
    hook: unused,
    use: unused,
    effect: async (_label, acquire) => onTestFinished(await acquire()),
    invalidate: paths => void invalidated.push(paths),
  }
  const source = await provider.setup(context)
  const progress = (): void => {}
  return {
    source,
    invalidated,
    list: async (signal = never) => source.list({ signal, progress }),
    refresh: async (paths, signal = never) => source.refresh?.(paths, { signal, progress }),
  }
}

/** Makes a source over one or more roots. */
export function sourceOver(
  roots: string | readonly SkillRoot[],
  options: Partial<FileSourceOptions> = {},
): Provider<'source'> {
  const given = typeof roots === 'string' ? [{ path: roots }] : roots
  return fileSource({ id: 'files', source: 'user', roots: () => ({ roots: given }), ...options })
}

/** Loads the skills of a tree. */
export async function loaded(
  entries: TreeEntries,
  options: Partial<FileSourceOptions> = {},
): Promise<LoadResult & { readonly path: string }> {
  const { path } = temporary(entries)
  const { list } = await start(sourceOver(path, options))
  return { ...(await list()), path }
}

/** Returns the only prompt command of a result. */
export function onlyCommand({ commands, errors }: LoadResult): PromptCommand {
  const [command, ...others] = commands
  if (command?.type !== 'prompt' || others.length > 0)
    throw new Error(`${commands.length} commands; ${JSON.stringify(errors)}`)
  return command
}

/** Returns the text of a command's body. */
export async function bodyOf(
  command: Command | undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  if (command?.type !== 'prompt') throw new Error('not a prompt command')
  const body = await command.load('', { signal })
  if (!('template' in body)) throw new Error('not a template')
  return body.template
}

export function namesOf({ commands }: Pick<LoadResult, 'commands'>): readonly string[] {
  return commands.map(({ name }) => name)
}

/** Formats diagnostics as `code path:line:column`, with paths relative to `root`. */
export function shortly(diagnostics: readonly Diagnostic[], root: string): readonly string[] {
  return diagnostics.map(({ code, path, line, column }) =>
    [`${code} ${path?.replace(`${root}/`, '') ?? ''}`, line, column].filter(part => part !== undefined).join(':'),
  )
}
