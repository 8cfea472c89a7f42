export { shellExpander, type ShellExpanderOptions } from './shell-expander.js'
export { quotedReferences, type QuotedReference, type QuotedReferencesOptions } from '@skills/invocation/template'
