import { posix } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { realPathOf, unlessRefused } from '@skills/files/internal'
import type { Host, PromptCommand } from '@skills/core'

/** Real place of a command. */
export interface SkillPlace {
  /**
   * Real paths that all have to be trusted: its file, and the folder in which it was found, which may contain only a
   * link to the file.
   */
  readonly places: readonly string[]
  /**
   * Path of its content: its folder, or its file if it has none of its own. No link on the way. Undefined for a command
   * without files.
   */
  readonly content: string | undefined
}

/** Finds the place of a command; undefined if the file or folder no longer exists or may not be read. */
export function placeOf(
  { filePath, baseDir, file, isSnapshot }: PromptCommand,
  host: Pick<Host, 'cwd'>,
): SkillPlace | undefined {
  return unlessRefused(() => {
    if (filePath === undefined && baseDir === undefined) {
      const cwd = realPathOf(host.cwd)
      return cwd === undefined ? undefined : { places: [cwd], content: undefined }
    }
    const places: string[] = []
    // The bytes lay where the file was opened, though its path may lead elsewhere by now.
    const read = isSnapshot === true ? file?.realPath : undefined
    for (const path of [baseDir, filePath === undefined ? undefined : posix.dirname(filePath), read, filePath]) {
      const real = path === undefined ? undefined : realPathOf(path)
      if (real !== undefined) places.push(real)
      else if (path !== undefined) return undefined
    }
    const content = baseDir ?? filePath ?? ''
    const parent = realPathOf(posix.dirname(content))
    return parent === undefined ? undefined : { places, content: posix.join(parent, posix.basename(content)) }
  }, undefined)
}

/** Returns the real path of the project around the working folder. */
export function projectOf(host: Pick<Host, 'cwd' | 'home' | 'uid'>): string {
  const { top } = findProjectFolders(host)
  return realPathOf(top) ?? top
}
