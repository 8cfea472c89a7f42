import type { Diagnostic } from '@skills/core'
import { ioProblem, systemCode } from './problem.js'

/**
 * Codes without a warning: a missing file was watched until it was removed, and the reader reports what must not be
 * read.
 */
const passing = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'])
const limits = new Set(['ENOSPC', 'EMFILE', 'ENFILE'])

/** Returns the warning for an error that affects more paths than the one it names; undefined for any other error. */
export function watchProblem(error: unknown, pollMs: number): Diagnostic | undefined {
  const code = systemCode(error) ?? ''
  if (passing.has(code)) return undefined
  if (limits.has(code)) {
    return {
      severity: 'warning',
      type: 'io',
      code: 'watch-limit',
      message: `A system limit on watching folders is reached (${code}); the remaining folders are checked every ${pollMs} ms instead.`,
      hint:
        code === 'ENOSPC'
          ? 'Raise fs.inotify.max_user_watches with sysctl.'
          : 'Raise fs.inotify.max_user_instances with sysctl, and the limit of open files with ulimit -n.',
    }
  }
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : 'a folder'
  return {
    ...ioProblem('A watched path', path, error),
    severity: 'warning',
    code: 'watch-failed',
    hint: `You need not do anything: all paths are checked every ${pollMs} ms instead.`,
  }
}
