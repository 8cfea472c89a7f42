/** Command for a program that reads one repository. */
export interface GitCall {
  readonly program: string
  /** Arguments before the command. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds in which an answer must come. */
  readonly timeoutMs: number
}

/** Environment variables that a program needs to start. */
const inherited = process.platform === 'win32' ? ['PATH', 'PATHEXT', 'SYSTEMROOT', 'SYSTEMDRIVE', 'TEMP'] : ['PATH']

/**
 * Returns the command for git. git uses only the repository's own configuration, which cannot be left out, and nothing
 * in that configuration can run a program or connect. The command names the folder, so that git searches no other
 * folder and does not check the folder's owner.
 */
export function gitCall(
  folder: string,
  {
    program,
    env,
    timeoutMs,
  }: {
    readonly program: string
    readonly env: Readonly<Record<string, string | undefined>>
    readonly timeoutMs: number
  },
): GitCall {
  const given = Object.fromEntries(inherited.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
  return {
    program,
    timeoutMs,
    args: [
      '--no-pager',
      `--git-dir=${folder}`,
      '-c',
      'core.fsmonitor=',
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'protocol.allow=never',
      '-c',
      'core.alternateRefsCommand=',
    ],
    env: {
      ...given,
      LC_ALL: 'C',
      HOME: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '',
      SSH_ASKPASS: '',
      GIT_OPTIONAL_LOCKS: '0',
      // An object is the one with its id, even if refs/replace names another.
      GIT_NO_REPLACE_OBJECTS: '1',
      // Objects that a partial clone lacks are not fetched. Git before 2.45 does not know the first variable; the
      // second overrides every protocol.*.allow.
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: 'none',
    },
  }
}
