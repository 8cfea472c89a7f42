/** Feature that a body needs from the agent. */
interface BodyFeature {
  /** Name in reports, such as `$ARGUMENTS`. */
  readonly name: string
  /** Finds the feature in a body. */
  readonly pattern: RegExp
  /** Body with this feature and no other. */
  readonly sample: string
}

/**
 * Features of bodies that not every agent supports. The patterns only find the skills that use a feature; a sample
 * skill shows what an agent does with it. Embedded commands are not included, because the distribution itself says
 * whether it runs them.
 */
export const bodyFeatures: readonly BodyFeature[] = [
  { name: '$ARGUMENTS', pattern: /\$ARGUMENTS\b/, sample: 'Do $ARGUMENTS.' },
  { name: '$ARGUMENTS[0]', pattern: /\$ARGUMENTS\[\d/, sample: 'Do $ARGUMENTS[0].' },
  { name: '$0', pattern: /(?<![\\$\w])\$\d(?![\w.,])/, sample: 'Do $0 now.' },
  { name: '${CLAUDE_SKILL_DIR}', pattern: /\$\{CLAUDE_SKILL_DIR\}/, sample: 'See ${CLAUDE_SKILL_DIR}/more.md' },
  { name: '${CLAUDE_PLUGIN_ROOT}', pattern: /\$\{CLAUDE_PLUGIN_ROOT\}/, sample: 'See ${CLAUDE_PLUGIN_ROOT}/more.md' },
  { name: '${CLAUDE_SESSION_ID}', pattern: /\$\{CLAUDE_SESSION_ID\}/, sample: 'In ${CLAUDE_SESSION_ID} now' },
  { name: '{baseDir}', pattern: /(?<!\$)\{baseDir\}/, sample: 'See {baseDir}/more.md' },
]
