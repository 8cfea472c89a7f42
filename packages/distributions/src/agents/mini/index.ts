import { defineDistribution } from '../../define-distribution.js'

const folders = [{ name: '.claude' }]

/**
 * Distribution of a small agent: the project's skills before the user's, frontmatter in lines, the listing in the
 * system prompt, and a skill as one plain message. A `/name` that is not a skill goes to the model as text. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const mini = defineDistribution({
  name: 'mini',
  showsPaths: true,
  says: 'the project first, the listing in the system prompt, a skill as one plain message',
  precedence: ['project', 'user'],
  identityOf: () => undefined,
  layout: {
    walk: 'flat',
    otherCase: 'report',
    dialect: 'lines',
    names: 'field',
    fallback: { from: 'nothing', otherwise: '' },
    fields: {
      only: ['name', 'description', 'when_to_use', 'allowed-tools', 'user-invocable', 'context'],
      booleans: 'only-false',
      toolSeparator: 'comma',
    },
  },
  visibility: { isDescribed: () => true, skillsOnly: false },
  plugins: [
    ['user', { folders, wins: 'last' }],
    ['project', { folders, reach: 'working-folder', wins: 'last' }],
    [
      'text',
      {
        header: false,
        digits: 'none',
        names: false,
        appended: false,
        variables: ['CLAUDE_SKILL_DIR'],
        baseDirBraces: false,
        escapes: 'none',
      },
    ],
    // There, a skill's list of tools is a limit and allows nothing.
    ['inline', { messages: 'plain', repeated: 'whole', grants: 'none', strict: true }],
    ['fork', { prompt: 'system', emptyResult: '(Skill produced no output)', without: ['agent'] }],
    ['listing', { strategy: 'grouped' }],
    // Invoking a skill needs no question. What it does is asked about like any other tool call.
    ['rules', { files: [], allow: ['Skill'] }],
  ],
  invoker: { slash: { separator: 'space', most: 1 }, unknownSlash: 'chat', userContext: 'inline' },
  tool: {
    name: 'skill',
    nameParameter: 'skill_name',
    listingIn: 'system',
    textIn: ({ entry, text }) => `[Skill "${entry.name}" activated]\n\n${text}`,
    // The result of a fork is its bare text.
    resultText: ({ data: { status, success, result } }) =>
      status === 'forked' && success && typeof result === 'string' ? result : undefined,
  },
})
