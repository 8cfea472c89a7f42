/** What a model says and calls in one answer. */
export interface ModelAnswer {
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
}
