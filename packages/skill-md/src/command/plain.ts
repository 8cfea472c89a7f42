// Parts that are needed only for files with problems or that the quick reader is not sure of. Loaded with the first
// such file.
export { parseFrontmatter } from '../parse/parse-frontmatter.js'
export { readOwn } from '../parse/own-frontmatter.js'
export { placeOfProblem } from '../parse/locate.js'
export { loadParser, readHead } from '../parse/parser.js'
export { readSidecar, type Sidecar } from './sidecar.js'
