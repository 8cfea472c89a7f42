// What only files take that the quick way is not sure of, or that have problems: loaded with the first of them.
export { bodyStartOf, readFirstFences } from '../parse/first-fences.js'
export { parseFrontmatter } from '../parse/parse-frontmatter.js'
export { readOwn } from '../parse/own-frontmatter.js'
export { placeOfProblem } from '../parse/locate.js'
export { loadParser, readHead } from '../parse/parser.js'
export { readSidecar, type Sidecar } from './sidecar.js'
