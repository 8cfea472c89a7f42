// @ts-check
import { listedValues } from '../listed-values.mjs'

/** Values in frontmatter: see listed-values.mjs. @type {import('../areas.mjs').Area} */
export const area = {
  ...listedValues,
  narrower: [
    ...(listedValues.narrower ?? []),
    [
      ({ theirs, ours }) => theirs.endsWith(': ') && ours === '<none>',
      'A description has to have a text, also one in a block.',
    ],
  ],
}
