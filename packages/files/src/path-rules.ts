export { AskedFile, pathsUnder, realFolderOf, type PathPlace } from './path-rules/asked-file.js'
export { PathPattern, type PatternPlace, type PatternProblem } from './path-rules/path-pattern.js'
