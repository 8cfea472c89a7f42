export { linksExpander } from './links-expander.js'
export { textExpander } from './text-expander.js'
export type { TextExpanderOptions } from './options.js'
