/**
 * Meaning of a reference: all arguments; the word at a position; the word of `${ARGn}`, which never includes the rest
 * of the line; the word of a declared name; a variable; the skill's folder; a literal `$`.
 */
export type ReferenceKind = 'all' | 'position' | 'word' | 'name' | 'variable' | 'folder' | 'dollar'

/** Reference that was found in a text and has to be evaluated. */
export class Reference {
  readonly kind: ReferenceKind
  /** Index of the word, from 0; below 0 for one that cannot exist. */
  readonly index: number
  /** Name of the variable. */
  readonly name: string

  constructor(kind: ReferenceKind, { index = 0, name = '' }: { readonly index?: number; readonly name?: string } = {}) {
    this.kind = kind
    this.index = index
    this.name = name
  }

  /** True if it refers to arguments, whether or not any were given. */
  get isArgument(): boolean {
    return this.kind === 'all' || this.kind === 'position' || this.kind === 'word' || this.kind === 'name'
  }
}
