import { SkillsError, type MaybePromise } from '@skills/core'

/** Error codes of runs, in addition to those of the engine, each with its meaning. */
export const runErrorCodes = {
  E_RUN_CHANGED: 'the skill, prompt or call of a run that is taken over has changed since it was recorded',
  E_RUN_ENTRY: 'an entry of a run could not be read again; nothing was written',
  E_RUN_JOURNAL: 'the journal of a run is damaged, or was written by a later version',
  E_RUN_LOST: 'another process took a run over, so this one may write nothing more',
  E_RUN_STATE: 'the state of a run does not allow this',
  E_RUN_UNKNOWN: 'no run has this id',
  E_RUN_UNSIGNED: 'no key of this host signed the records of a run, so it is not worked on',
} as const

type RunErrorCodes = { readonly [K in keyof typeof runErrorCodes]: true }

declare module '@skills/core' {
  interface ErrorCodes extends RunErrorCodes {}
}

const ofStorage = new WeakSet<object>()

/**
 * Returns what some work with the place of journals gives. An error of the place itself, such as a full disk or a server
 * that is away, is remembered as such: another part may fail with the same code.
 */
export async function fromStorage<T>(work: () => MaybePromise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (SkillsError.is(error) && !Object.hasOwn(runErrorCodes, error.code)) ofStorage.add(error)
    throw error
  }
}

/** True if an error is about the place where journals are stored, and not about the run. */
export const isOfStorage = (error: unknown): boolean => SkillsError.is(error) && ofStorage.has(error)

/**
 * Makes an error of a run.
 * @param hint one sentence that says what to do
 */
export function runError(
  code: keyof typeof runErrorCodes,
  message: string,
  hint: string,
  cause?: unknown,
): SkillsError {
  return new SkillsError(code, message, { hint, ...(cause !== undefined && { cause }) })
}
