/** A program that reads one repository. */
export interface GitCall {
  readonly program: string
  /** What comes before the command. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds until an answer must be there. */
  readonly timeoutMs: number
}

/** Of the environment: what a program needs to start. */
const inherited = process.platform === 'win32' ? ['PATH', 'PATHEXT', 'SYSTEMROOT', 'SYSTEMDRIVE', 'TEMP'] : ['PATH']

/**
 * How git is called: no configuration but the repository's own, which cannot be left out, and nothing of that runs or
 * connects. The folder is named, so that git looks for no other one and asks nothing about its owner.
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
      // An object is the one of its id, also where refs/replace names another.
      GIT_NO_REPLACE_OBJECTS: '1',
      // What a partial clone lacks is not fetched. Git before 2.45 does not know the first; the second wins over every
      // protocol.*.allow.
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: 'none',
    },
  }
}
