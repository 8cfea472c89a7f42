const brand = Symbol.for('@skills/core/SkillsError')

/** Every code that our packages throw, with its cause. See docs/reference/errors.md, "Errors". */
export const errorCodes = {
  E_ALREADY_RUNNING: 'a skill would be started inside itself',
  E_AMBIGUOUS_NAME: 'a name matches several commands and none exactly',
  E_CLOSED: 'the engine was used after close()',
  E_CONTRACT_VERSION: 'a provider was written for a version of its kind that the engine cannot ask',
  E_DENIED: 'an invocation has no permission',
  E_DUPLICATE_KIND: 'two different definitions of one kind were given',
  E_DUPLICATE_PROVIDER: 'two providers of one kind have the same id',
  E_FILE_CHANGED: 'a skill file has changed since it was listed, or is gone',
  E_INVALID_OPTION: 'an option has a value that is not accepted',
  E_INVALID_SKILL: 'a skill file does not parse or validate',
  E_MISSING_PROVIDER: 'a provider needs a kind that has no provider',
  E_NO_PERMISSION: 'there is no permission provider',
  E_NO_RENDERER: 'a command has something to show and there is no renderer',
  E_NOT_INVOCABLE: 'a command is not for this caller',
  E_PROVIDER_FAILED: 'a provider threw, or answered with something that is not an answer',
  E_SHELL: 'a command embedded in a skill failed or was not allowed',
  E_STATE: 'stored values cannot be read or written',
  E_TIMEOUT: 'a provider took longer than its limit',
  E_TOO_DEEP: 'forks are nested too deep',
  E_TOO_MANY_PROVIDERS: 'a kind that takes one provider was given several',
  E_UNDECLARED_NEED: 'a provider used a kind that is not in its needs',
  E_UNKNOWN_KIND: 'a provider names a kind that is not defined',
  E_UNKNOWN_NAME: 'no command has this name',
  E_WRITE: 'a file or folder is not written: its place is not allowed, or not ours',
} as const

/**
 * Every code that an error can have. Add a code by declaration merging: `declare module '@skills/core' { interface
 * ErrorCodes { E_QUOTA: true } }`.
 */
export interface ErrorCodes extends Record<keyof typeof errorCodes, unknown> {}

export type ErrorCode = keyof ErrorCodes & string

/**
 * The only error class the engine throws, apart from `AbortError`. Test an error with {@link SkillsError.is}, never
 * with `instanceof`, because two copies of this package may be loaded.
 */
export class SkillsError extends Error {
  override readonly name = 'SkillsError'
  readonly code: ErrorCode
  readonly hint: string | undefined

  /**
   * @param message one sentence: what is wrong, and where
   * @param options.hint one sentence: what to do; becomes part of the message
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(
      options.hint === undefined ? message : `${message} ${options.hint}`,
      'cause' in options ? { cause: options.cause } : undefined,
    )
    this.code = code
    this.hint = options.hint
    Object.defineProperty(this, brand, { value: true })
  }

  static is(value: unknown): value is SkillsError {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/** Throws a {@link SkillsError} with a hint. */
export function fail(code: ErrorCode, message: string, hint: string): never {
  throw new SkillsError(code, message, { hint })
}

/**
 * Returns the `AbortError` of a signal. If the signal's reason is an `AbortError`, returns the reason; otherwise a new
 * `AbortError` whose cause is the reason.
 */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  if (reason instanceof Error && reason.name === 'AbortError') return reason
  return Object.assign(new Error('The operation was aborted.', reason === undefined ? undefined : { cause: reason }), {
    name: 'AbortError',
  })
}

/**
 * True if an error says that a signal aborted. The error's name decides, so that errors of the platform count too. See
 * docs/reference/errors.md, "Errors".
 */
export const isAbortError = (value: unknown): value is Error => value instanceof Error && value.name === 'AbortError'

/** Returns the message of a thrown value, whether it is an `Error` or not. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
