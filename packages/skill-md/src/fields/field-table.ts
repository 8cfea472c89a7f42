import type { FieldName, SkillFields } from './field-types.js'

/** How one field is written, for documentation and lint. */
export interface KnownField {
  readonly name: FieldName
  /** Every key that is read as this field, the documented one first. */
  readonly names: readonly string[]
  /** Where {@link SkillFields} has it. */
  readonly property: keyof SkillFields
  /** What is accepted, as it completes "must be". */
  readonly type: string
  /** What holds when the field is absent. */
  readonly default: string
  /** Whether the open Agent Skills standard has it. */
  readonly standard: boolean
}

const toolList = 'a list, a JSON array as text, or text separated by commas or spaces'
const booleanLike = 'true, false, yes, no, on, off, 1 or 0'

function describe(
  names: readonly [FieldName, ...string[]], property: keyof SkillFields, type: string, fallback: string, standard = false,
): KnownField {
  return { name: names[0], names, property, type, default: fallback, standard }
}

/** Every field that a skill's frontmatter may set. See docs/reference.md, "Frontmatter". */
export const knownFields: readonly KnownField[] = [
  describe(['name'], 'name', 'text', 'the folder name', true),
  describe(['description'], 'description', 'text', 'the first paragraph of the body, else the name', true),
  describe(['when_to_use', 'when-to-use', 'whenToUse'], 'whenToUse', 'text', 'none'),
  describe(['allowed-tools', 'allowed_tools', 'tools'], 'allowedTools', toolList, 'none', true),
  describe(['disallowed-tools'], 'disallowedTools', toolList, 'none'),
  describe(['model'], 'model', 'text', 'inherit'),
  describe(['effort'], 'effort', 'low, medium, high, xhigh, max or a positive whole number', 'none'),
  describe(['context'], 'context', 'inline (or main) or fork', 'inline'),
  describe(['agent'], 'agent', 'text', 'general-purpose'),
  describe(['background'], 'background', booleanLike, 'false'),
  describe(['argument-hint'], 'argumentHint', 'text or a list', 'none'),
  describe(['arguments'], 'argumentNames', 'a list of names, or names separated by spaces', 'none'),
  describe(['user-invocable'], 'userInvocable', booleanLike, 'true'),
  describe(['disable-model-invocation'], 'disableModelInvocation', booleanLike, 'false'),
  describe(['paths'], 'paths', 'a list of patterns, or patterns separated by commas', 'none'),
  describe(['hooks'], 'hooks', 'a map from event to matchers', 'none'),
  describe(['shell'], 'shell', 'bash or powershell', 'bash'),
  describe(['on-shell-error'], 'onShellError', 'abort, inline or skip', "the distribution's"),
  describe(['requires'], 'requires', 'a list of skill names, or a map of what it needs', 'none'),
  describe(['aliases'], 'aliases', 'a list of names', 'none'),
  describe(['version'], 'version', 'text', 'none'),
  describe(['license'], 'license', 'text', 'none', true),
  describe(['compatibility'], 'compatibility', 'text', 'none', true),
  describe(['metadata'], 'metadata', 'a map', 'none', true),
]

const byName: ReadonlyMap<string, KnownField> = new Map(
  knownFields.flatMap((field) => field.names.map((name): [string, KnownField] => [name, field])),
)

/** The field that a key is read as. */
export function fieldOf(key: string): KnownField | undefined {
  return byName.get(key)
}
