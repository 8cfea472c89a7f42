import { dirname } from 'node:path'
import { isInside, plainFolder, realPathOf } from '@skills/files/internal'
import { reservedVariables, type StandardServer } from './server-rules.js'

/** Folders that a server's placeholders stand for. Absolute, with every link resolved. */
export interface ServerFolders {
  readonly root: string
  readonly data: string
}

/** Program to start, with nothing left to replace. */
export interface ServerStart {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

type ProcessServer = Extract<StandardServer, { readonly type: 'stdio' }>

/** Replaces both placeholders in one pass, so that nothing in a replacement is replaced again. */
export function withFolders(text: string, { root, data }: ServerFolders): string {
  return text.replaceAll(/\$\{PLUGIN_(ROOT|DATA)\}/g, (_, which) => (which === 'ROOT' ? root : data))
}

/** Returns what to start for a server of type stdio. Looks at no file. */
export function startOf(server: ProcessServer, folders: ServerFolders, platform: NodeJS.Platform): ServerStart {
  const { args = [], env = {} } = server
  const own = Object.entries(env)
    // Names of variables do not depend on case on Windows, so `plugin_root` would hide the client's own value there.
    .filter(([name]) => platform !== 'win32' || !isReserved(name))
    .map(([name, value]) => [name, withFolders(value, folders)] as const)
  return {
    ...placesOf(server, folders),
    args: args.map(one => withFolders(one, folders)),
    env: { ...Object.fromEntries(own), PLUGIN_ROOT: folders.root, PLUGIN_DATA: folders.data },
  }
}

function isReserved(name: string): boolean {
  return reservedVariables.some(one => one === name.toUpperCase())
}

/** Returns the program and the working folder of a server, as absolute paths unless the program is searched for. */
function placesOf(
  { command, cwd = './' }: ProcessServer,
  folders: ServerFolders,
): Pick<ServerStart, 'command' | 'cwd'> {
  const path = withFolders(cwd, folders)
  return {
    command: command.startsWith('./') ? plainFolder(`${folders.root}/${command}`) : command,
    cwd: plainFolder(cwd.startsWith('./') ? `${folders.root}/${path}` : path),
  }
}

/** Returns the field of a server whose path leads out of the folder that it has to stay in, with links followed. */
export function escapingField(server: ProcessServer, folders: ServerFolders): 'command' | 'cwd' | undefined {
  const { command, cwd } = placesOf(server, folders)
  if (server.command.startsWith('./') && leavesFolder(command, folders.root)) return 'command'
  const base = server.cwd?.startsWith('${PLUGIN_DATA}') === true ? folders.data : folders.root
  return leavesFolder(cwd, base) ? 'cwd' : undefined
}

/** True if a path leaves a folder as it is written, or through a link. What does not exist yet is judged by its parent. */
function leavesFolder(path: string, folder: string): boolean {
  if (!isInside(path, folder)) return true
  let there = path
  while (there.length > folder.length && realPathOf(there) === undefined) there = dirname(there)
  return !isInside(realPathOf(there) ?? folder, folder)
}
