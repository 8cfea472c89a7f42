// @ts-check
import { listedDialect } from '../listed-dialect.mjs'

/** @type {import('../areas.mjs').Area} */
export const area = { ...listedDialect }
