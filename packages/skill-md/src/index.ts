export { commandOf, commandReader } from './command/command-of.js'
export type {
  FieldFinding,
  SidecarFile,
  SkillBytes,
  SkillFile,
  SkillLayout,
  SkillOrigin,
  SkillPlace,
  SkillPlugin,
  SkillRead,
} from './command/origin.js'
export { pathInRule } from './command/path-in-rule.js'
export { unsafeCharacter } from './command/safe-name.js'
export { isSkillCommand, type SkillCommand, type SkillReading } from './command/skill-command.js'
export { commandParts } from './fields/command-parts.js'
export { readFields } from './fields/read-fields.js'
export { acceptedBy } from './fields/accepted-by.js'
export { describeField, skillSchema } from './fields/schema.js'
export { needKeys, needsOf, type SkillNeeds } from './fields/needs.js'
export { fieldCodes } from './fields/field-types.js'
export type { FieldCode, FieldOptions, FieldProblem, FieldResult, SkillFields } from './fields/field-types.js'
export { describeProblem, locateKey, placeOfProblem, type KeyPlace } from './parse/locate.js'
export { firstHeading, firstParagraph } from './fields/paragraph.js'
export type { FrontmatterReader, OwnFrontmatter, ReadYaml, YamlRead } from './parse/own-frontmatter.js'
export type { YamlReading } from './yaml/engine.js'
export { parseFrontmatter } from './parse/parse-frontmatter.js'
export { loadParser, parseHead, parseYaml, readHead } from './parse/parser.js'
export { frontmatterCodes } from './parse/problems.js'
export { checkStandard, standardKeys, type StandardContext } from './fields/standard.js'
export { checkText } from './parse/text-check.js'
export { splitPaths, splitTools } from './fields/tool-list.js'
export { updateFrontmatter } from './write/update.js'
export { repairDocument, writeDocument } from './write/write-document.js'
export type {
  FrontmatterData,
  NeedMore,
  Parsed,
  ParsedFrontmatter,
  ParseFailure,
  ParseLimits,
  ParseOptions,
  Parser,
  YamlResult,
} from './types.js'
