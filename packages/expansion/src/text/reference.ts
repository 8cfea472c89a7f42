/**
 * What a token of the text stands for: all arguments; the word of a position; the word of `${ARGn}`, which never takes
 * the rest; the word of a declared name; a variable; the skill's folder; a literal `$`.
 */
export type ReferenceKind = 'all' | 'position' | 'word' | 'name' | 'variable' | 'folder' | 'dollar'

/** What the lexer says of a token and the evaluation goes by. */
export class Reference {
  readonly kind: ReferenceKind
  /** Of a word, from 0; below 0 for one that cannot be. */
  readonly index: number
  /** Of a variable. */
  readonly name: string

  constructor(kind: ReferenceKind, { index = 0, name = '' }: { readonly index?: number; readonly name?: string } = {}) {
    this.kind = kind
    this.index = index
    this.name = name
  }

  /** Whether it is one of the ways to refer to arguments, be they there or not. */
  get isArgument(): boolean {
    return this.kind === 'all' || this.kind === 'position' || this.kind === 'word' || this.kind === 'name'
  }
}
