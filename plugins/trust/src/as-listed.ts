import { isAbortError, type PromptCommand } from '@skills/core'
import { statOf } from '@skills/files/internal'
import type { TrustCall } from '@skills/invocation'

/**
 * True if the file of a command has not changed since its fields were read. Also true for a command without such a
 * file.
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

/** Reads the file of a command, so that its source notices a change and lists it again. */
export async function noticeChange(command: PromptCommand, { signal }: TrustCall): Promise<void> {
  try {
    await command.load('', { signal })
  } catch (error) {
    if (isAbortError(error)) throw error
    // The source notices an unreadable file too, and reports it with the next list.
  }
}
