// @ts-check
import { listedValues } from '../listed-values.mjs'

/** Values in frontmatter: see listed-values.mjs. */
export const area = { ...listedValues }
