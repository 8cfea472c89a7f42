import { SkillsError } from '@skills/core'

export { maskSecrets as masked, secretsOf } from '@skills/state/secrets'

/** All error codes of installing, with when they are thrown. */
export const installErrorCodes = {
  E_INSTALL_CONSENT: 'the content is not what was agreed to',
  E_INSTALL_DIFFERS: 'a source has other content than the lock says',
  E_INSTALL_FAILED: 'git or npm cannot be started, fails or takes too long',
  E_INSTALL_LIMIT: 'a skill has more files or bytes than allowed',
  E_INSTALL_LOCK: 'skills.json or skills.lock.json cannot be understood, or an entry does not fit its source',
  E_INSTALL_NOT_FOUND: 'a source, or a skill of it, does not exist',
  E_INSTALL_REDIRECT: 'a server of git redirects to another address, which is not followed',
  E_INSTALL_SOURCE: 'the text is not a source of skills, or is a URL with a secret in it',
  E_INSTALL_TAKEN: 'the place of a skill has something that is not in the lock',
  E_INSTALL_UNSAFE: 'a skill has a file that is not installed, such as a link out of it or a name of a device',
} as const

type InstallErrorCodes = { readonly [K in keyof typeof installErrorCodes]: true }

declare module '@skills/core' {
  interface ErrorCodes extends InstallErrorCodes {}
}

/**
 * Returns true if a source, or the store that reads it, refused. False for problems of an option or of the user's own
 * state.
 */
export const isRefused = (error: unknown): error is SkillsError =>
  SkillsError.is(error) && /^E_(?:ARCHIVE|GIT|HTTP|INSTALL|STORE)_/.test(error.code)
