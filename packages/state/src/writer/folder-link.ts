import path from 'node:path'

/** Path functions of a platform, which may not be the one of this process. */
const pathOf = (platform: NodeJS.Platform): path.PlatformPath => (platform === 'win32' ? path.win32 : path.posix)

/**
 * Returns how a link to a folder is made. On Windows it is a junction: a symbolic link needs a right there that people
 * do not have. A junction keeps an absolute path.
 * @param link absolute path of the link
 * @param target relative to the folder of the link, or absolute
 */
export function folderLink(
  link: string,
  target: string,
  platform: NodeJS.Platform = process.platform,
): { readonly text: string; readonly type: 'dir' | 'junction' } {
  if (platform !== 'win32') return { text: target, type: 'dir' }
  const { dirname, resolve } = pathOf(platform)
  return { text: resolve(dirname(link), target), type: 'junction' }
}

/**
 * True if a link with this text is the one that `folderLink` makes for a target. On Windows the text is an absolute path
 * and may end with a backslash, or begin with the prefix for long paths.
 */
export function isFolderLink(
  link: string,
  text: string,
  target: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform !== 'win32') return text === target
  const { dirname, resolve } = pathOf(platform)
  const place = (one: string): string => resolve(dirname(link), one.replace(/^\\\\\?\\/, '')).toLowerCase()
  return place(text) === place(target)
}
