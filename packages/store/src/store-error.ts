const brand = Symbol.for('@skills/store/StoreError')

/**
 * The error of a store that cannot be read, or that will not read what it found. Each store has its own codes, such as
 * `E_ARCHIVE_UNSAFE`. Recognise one with {@link StoreError.is}: two copies of this package may be loaded.
 */
export class StoreError<Code extends string = string> extends Error {
  override readonly name = 'StoreError'
  readonly code: Code
  readonly hint: string

  /**
   * @param message one sentence: what is wrong, and where
   * @param hint one sentence: what to do; becomes part of the message
   */
  constructor(code: Code, message: string, hint: string, options?: { readonly cause?: unknown }) {
    super(`${message} ${hint}`, options)
    this.code = code
    this.hint = hint
    Object.defineProperty(this, brand, { value: true })
  }

  static is(value: unknown): value is StoreError {
    return typeof value === 'object' && value !== null && brand in value
  }
}
