import { isAbortError, type PromptCommand } from '@skills/core'
import { statOf } from '@skills/files/internal'
import type { TrustCall } from '@skills/invocation'

/**
 * Whether the file of a command is the one that its fields were read from. A command that does not say which that was
 * is.
 */
export function isAsListed({ file, filePath }: PromptCommand): boolean {
  if (file === undefined || filePath === undefined) return true
  const now = statOf(filePath)
  return (
    now !== undefined &&
    now.size === file.size &&
    now.mtimeMs === file.mtimeMs &&
    now.ctimeMs === file.ctimeMs &&
    now.ino === file.ino
  )
}

/** Has a command's source see that its file was changed, so that it lists it anew: reading it is how it does. */
export async function noticeChange(command: PromptCommand, { signal }: TrustCall): Promise<void> {
  try {
    await command.load('', { signal })
  } catch (error) {
    if (isAbortError(error)) throw error
    // A file that became unreadable was noticed too; the next list reports why.
  }
}
