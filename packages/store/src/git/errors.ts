/** All error codes of commits, with when they are thrown. */
export const gitErrorCodes = {
  E_GIT_FAILED: 'git cannot be started, fails, takes too long or gives a wrong answer',
  E_GIT_LIMIT: 'the commit has more entries than allowed',
  E_GIT_REF: 'the ref names no commit of the repository',
  E_GIT_REPOSITORY: 'the folder is not a git repository, or leads to another one',
  E_GIT_UNSAFE: 'the commit has a name that leads out of its tree',
} as const

type GitErrorCodes = { readonly [K in keyof typeof gitErrorCodes]: true }

declare module '@skills/core' {
  interface ErrorCodes extends GitErrorCodes {}
}
