export {
  expanderKind,
  type EvaluateContext,
  type ExpandContext,
  type Expander,
  type Lexed,
  type LexContext,
} from './template/expander.js'
export { expand, expandWith, maxExpandedLength, tokenize, type NamedExpander } from './template/expand.js'
export { findCode, isEscaped } from './template/code.js'
export { splitArguments } from './template/split-arguments.js'
export { findEmbeddedCommands } from './template/embedded/find-commands.js'
export { quotedReferences } from './template/embedded/quoted-references.js'
export { scriptQuotings } from './template/embedded/script-quotings.js'
export { refusedValue } from './template/embedded/refused-value.js'
export type { Refusal, ShellValue } from './template/embedded/shell-value.js'
export { shellKind, type Shell, type ShellCall } from './template/shell.js'
export type { Quoting, Quotings } from './template/embedded/quoting.js'
