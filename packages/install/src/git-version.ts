import { systemClock, type Diagnostic, type Host } from '@skills/core'
import { runInGroup } from '@skills/process-group'

/** Oldest git that can be kept from reading the person's configuration (`GIT_CONFIG_GLOBAL`). */
const oldestGit = [2, 32] as const

/**
 * Returns the problem of a git that is missing or too old to fetch skills. Nothing without a search path. Asks the
 * program for its version.
 */
export async function gitProblems(
  { env }: Pick<Host, 'env'>,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly Diagnostic[]> {
  if ((env['PATH'] ?? '') === '') return []
  let said = ''
  const { end } = await runInGroup(
    { program: 'git', args: ['--version'], env: { PATH: env['PATH'], LC_ALL: 'C' } },
    {
      // As for every other call of git: a program of the project must not pass for it.
      cwd: '/',
      clock: systemClock,
      signals: [signal],
      timeoutMs: 10_000,
      maxOutputBytes: 10_000,
      graceMs: 500,
      keepsOfStderr: 0,
      onStdout: piece => (said += piece.toString()),
    },
  )
  if (end.by === 'start')
    return [
      {
        severity: 'info',
        type: 'source',
        code: 'no-git',
        message: `git cannot be started (${end.message}), so no skill can be installed from a repository.`,
        hint: `Install git ${oldestGit.join('.')} or newer.`,
      },
    ]
  return gitVersionProblems(said)
}

/** @param said output of `git --version` */
export function gitVersionProblems(said: string): readonly Diagnostic[] {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(said) ?? []
  if (major === undefined || minor === undefined) return []
  const isEnough = Number(major) > oldestGit[0] || (Number(major) === oldestGit[0] && Number(minor) >= oldestGit[1])
  if (isEnough) return []
  return [
    {
      severity: 'warning',
      type: 'source',
      code: 'old-git',
      message: `This is git ${major}.${minor}, and installing skills from repositories needs ${oldestGit.join('.')} or newer.`,
      hint: 'Install a newer git.',
    },
  ]
}
