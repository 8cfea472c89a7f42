import { relative } from 'node:path'
import { slashes } from '@skills/files/internal'
import type { Diagnostic } from '@skills/core'

const levels = { error: 'error', warning: 'warning', info: 'notice' } as const

/**
 * Formats findings as commands of a GitHub workflow, one for each line. GitHub shows them beside the lines of a pull
 * request.
 * @param root absolute folder of the checkout; paths in the output are relative to it
 */
export function annotations(diagnostics: readonly Diagnostic[], root: string): string {
  return diagnostics
    .map(({ severity, path, line, column, message, hint, code }) => {
      const properties = {
        ...(path !== undefined && { file: slashes(relative(root, path)) }),
        ...(line !== undefined && { line: String(line) }),
        ...(column !== undefined && { col: String(column) }),
        title: code,
      }
      const written = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`)
      return `::${levels[severity]} ${written.join(',')}::${data([message, hint ?? ''].join(' ').trim())}\n`
    })
    .join('')
}

// The runner reads a command up to the end of its line. Escaping keeps a file's text from becoming another command.
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
