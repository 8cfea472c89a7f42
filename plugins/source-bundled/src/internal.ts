/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { BundledFields, PromptContext } from './bundled-skill.js'
