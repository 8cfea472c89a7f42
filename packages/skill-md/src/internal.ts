/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
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
export { sureField } from './fields/misspelling.js'
export { needKeys, type SkillNeeds } from './fields/needs.js'
export type { FieldCode, FieldOptions, FieldProblem, FieldResult } from './fields/field-types.js'
export { describeProblem, locateKey, placeOfProblem, type KeyPlace } from './parse/locate.js'
export type { OwnFrontmatter, ReadYaml } from './parse/own-frontmatter.js'
export { SharedReading } from './parse/shared-reading.js'
export type { YamlRead, YamlReading } from './yaml/engine.js'
export type { StandardContext } from './fields/standard.js'
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
