import type { Host } from '@skills/core'

/** Variables that every server gets: those that a program needs to start, without any secrets. */
const inherited = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER']
const inheritedOnWindows = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]

/**
 * Returns the environment of a server: a few variables of the host, and over them its own. On Windows names of
 * variables do not depend on case: `Path` of a server replaces `PATH` of the host. Both together would leave it to
 * Node which of them counts.
 */
export function serverEnvironment(
  { env, platform }: Pick<Host, 'env' | 'platform'>,
  own: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const isWindows = platform === 'win32'
  const folded = (name: string): string => (isWindows ? name.toUpperCase() : name)
  const wanted = new Set(isWindows ? inheritedOnWindows : inherited)
  const result = new Map<string, readonly [name: string, value: string]>()
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && wanted.has(folded(name))) result.set(folded(name), [name, value])
  for (const [name, value] of Object.entries(own)) result.set(folded(name), [name, value])
  return Object.fromEntries(result.values())
}
