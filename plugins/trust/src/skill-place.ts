import { posix } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { realPathOf, unlessRefused } from '@skills/files/internal'
import type { Host, PromptCommand } from '@skills/core'

/** Where a command really lies. */
export interface SkillPlace {
  /**
   * Real paths that all have to be trusted: that of its file, and that of the folder it was found in, which may hold
   * only a link to the file.
   */
  readonly places: readonly string[]
  /**
   * What it is made of: its folder, or its file when it has none of its own. No link on the way to it. Undefined for a
   * command without files.
   */
  readonly content: string | undefined
}

/** Undefined when the file, or the folder, is not there any more or may not be looked at. */
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
    // What was read lay where it was opened, wherever its path leads by now.
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

/** The real path of the project that one works in. */
export function projectOf(host: Pick<Host, 'cwd' | 'home' | 'uid'>): string {
  const { top } = findProjectFolders(host)
  return realPathOf(top) ?? top
}
