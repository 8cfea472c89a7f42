/** Text and tool calls of one answer of a model. */
export interface ModelAnswer {
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
}
