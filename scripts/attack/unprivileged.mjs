// @ts-check

/** The user as whom attacks run what may do anything, where they are started by root. */
export const unprivileged = 65_534

/**
 * Arguments of `unshare` by which a program runs as that user, without a network and in processes of its own, and is
 * killed after so many seconds. What follows them is the program.
 * @param {number} seconds
 */
export function apart(seconds) {
  const user = ['setpriv', `--reuid=${unprivileged}`, `--regid=${unprivileged}`, '--clear-groups']
  return ['-n', '-p', '-f', '--mount-proc', '--kill-child', '--', ...user, 'timeout', '-s', 'KILL', String(seconds)]
}
