import { authoredOnly } from '../../authored.js'
import { defineDistribution } from '../../define-distribution.js'

const folders = ['.claude']

/**
 * Distribution that follows the first Claude Code with skills: frontmatter in lines, no variables, a listing in the
 * tool's description that ends at the first entry without room, and permission for each skill by its exact name. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const claudeCodeClassic = defineDistribution({
  name: 'claude-code-classic',
  showsPaths: true,
  says: "frontmatter in lines, the listing in the tool's text until its room ends, permission for each skill",
  visibility: authoredOnly,
  precedence: ['managed', 'user', 'project', 'plugin', 'legacy'],
  identityOf: ({ dev, ino }, { name }) => `${name}:${dev}:${ino}`,
  layout: {
    walk: 'flat',
    otherCase: 'report',
    dialect: 'lines',
    hides: 'all',
    fallback: { from: 'heading', otherwise: 'Skill' },
    fields: {
      only: [
        'name',
        'description',
        'when_to_use',
        'allowed-tools',
        'model',
        'disable-model-invocation',
        'argument-hint',
        'version',
      ],
      // Narrower than the program, for which only `true` is true: a flag that keeps a skill from models counts.
      booleans: 'else-false',
      toolSeparator: 'bare-comma',
    },
  },
  plugins: [
    ['managed'],
    ['user', { folders }],
    ['project', { folders, reach: 'working-folder' }],
    ['published', { agentPlugins: false }],
    [
      'text',
      {
        emptyArguments: 'keep',
        digits: 'none',
        names: false,
        braces: false,
        variables: 'none',
        baseDirBraces: false,
        escapes: 'none',
      },
    ],
    ['shell', { order: 'parallel', fences: 'look', onError: 'abort' }],
    ['inline', { repeated: 'whole' }],
    ['listing', { strategy: 'cutoff' }],
    ['rules', { prefix: 'text', safe: false, suggest: { prefixes: false } }],
  ],
  invoker: { unknownText: name => `Unknown command: ${name}` },
  tool: {
    takesArgs: false,
    listingIn: 'description',
    texts: { notPrompt: (_name, type) => `Unexpected ${type} command.` },
  },
})
