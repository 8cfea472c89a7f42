// @ts-check

/** The id of the user that dangerous commands run as where root starts the attacks. */
export const unprivileged = 65_534

/**
 * Returns the arguments of `unshare` that run a program as that user, without a network, in a PID namespace of its own,
 * and kill it after so many seconds. The program and its arguments follow them.
 * @param {number} seconds
 */
export function apart(seconds) {
  const user = ['setpriv', `--reuid=${unprivileged}`, `--regid=${unprivileged}`, '--clear-groups']
  return ['-n', '-p', '-f', '--mount-proc', '--kill-child', '--', ...user, 'timeout', '-s', 'KILL', String(seconds)]
}
