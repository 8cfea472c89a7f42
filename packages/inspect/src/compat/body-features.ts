/** Something that a body asks for of what runs it. */
interface BodyFeature {
  /** As it is told: `$ARGUMENTS`. */
  readonly name: string
  /** Whether a body has it. */
  readonly pattern: RegExp
  /** A body that has it and nothing else. */
  readonly sample: string
}

/**
 * What bodies ask for that not every agent gives. The patterns only say where it is worth looking; what an agent does
 * with it is found out with the sample. Embedded commands are not among them: the distribution is asked for these.
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
