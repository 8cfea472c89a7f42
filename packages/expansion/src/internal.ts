/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { Token } from './template/expander.js'
export type { ExpandedToken, Expansion } from './template/expand.js'
export type { CodeMap } from './template/code.js'
export { findScriptsOfAnyDialect } from './template/embedded/find-commands.js'
export type { EmbeddedCommand, FindCommandsOptions } from './template/embedded/find-commands.js'
export type { EmbeddedCommandRules } from './template/embedded/lex-command.js'
export type { QuotedReference, QuotedReferencesOptions } from './template/embedded/quoted-references.js'
export type { Reference } from './template/embedded/quoting.js'
export { trimmed } from './template/expand.js'
export { runsCommand } from './template/runs-command.js'
