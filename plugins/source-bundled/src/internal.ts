/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export type { BundledFields, PromptContext } from './bundled-skill.js'
