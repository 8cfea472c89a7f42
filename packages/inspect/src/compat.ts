export { compat } from './compat/compat.js'
export { OneMoment } from './compat/one-moment.js'
export { compatDiagnostics } from './compat/compat-diagnostics.js'
export { compatMarkdown } from './compat/compat-markdown.js'
