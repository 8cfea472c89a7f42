export {
  expanderKind,
  type EvaluateContext,
  type ExpandContext,
  type Expander,
  type Lexed,
  type LexContext,
  type Token,
} from './template/expander.js'
export { expand, expandWith, maxExpandedLength, type ExpandedToken, type Expansion } from './template/expand.js'
export { findCode, isEscaped, type CodeMap } from './template/code.js'
export { splitArguments } from './template/split-arguments.js'
export { tokenize, type NamedExpander } from './template/tokenize.js'
export {
  findEmbeddedCommands,
  type EmbeddedCommand,
  type FindCommandsOptions,
} from './template/embedded/find-commands.js'
export {
  embeddedCommandClaims,
  lexEmbeddedCommand,
  type EmbeddedCommandRules,
} from './template/embedded/lex-command.js'
export {
  quotedReferences,
  type QuotedReference,
  type QuotedReferencesOptions,
} from './template/embedded/quoted-references.js'
export { scriptQuotings } from './template/embedded/script-quotings.js'
export { refusedValue } from './template/embedded/refused-value.js'
export type { Refusal, ShellValue } from './template/embedded/shell-value.js'
export { shellKind, type Shell, type ShellCall } from './template/shell.js'
export type { Quoting, Quotings, Reference } from './template/embedded/quoting.js'
export { trimmed } from './template/trimmed.js'
