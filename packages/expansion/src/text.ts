export { linksExpander } from './text/links-expander.js'
export { textExpander } from './text/text-expander.js'
export type { TextExpanderOptions } from './text/options.js'
