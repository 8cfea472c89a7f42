import type { MaybePromise } from './promise.js'

/**
 * Content that a `local-ui` command shows. The content is data, so that a terminal and a web view can each show it in
 * their own way.
 */
export interface View {
  readonly title: string
  /** Paragraphs before the table. */
  readonly text?: readonly string[] | undefined
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | undefined
  /** Paragraphs after the table. */
  readonly notes?: readonly string[] | undefined
}

/** Shows views to the user. The host registers one renderer. See docs/reference/kinds.md, "Renderers". */
export interface Renderer {
  render(view: View, call: { readonly signal: AbortSignal }): MaybePromise<void>
}
