/**
 * Parts of this package for our other packages. Semantic versioning does not cover them.
 * @internal
 */
export type { BundledFields, PromptContext } from './bundled-skill.js'
