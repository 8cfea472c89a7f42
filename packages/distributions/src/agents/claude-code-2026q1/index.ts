import { authoredOnly } from '../../authored.js'
import { defineDistribution } from '../../define-distribution.js'

const folders = ['.claude']

/**
 * Distribution that follows Claude Code of early 2026. It reads flat `.claude` folders up to the home folder. Of several
 * skills with one name, a skill that the host bundles wins. Each description has an equal share of the listing. `$0` to
 * `$9` and `${ARGn}` are replaced, and the embedded commands of a skill run in parallel. See docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const claudeCode2026q1 = defineDistribution({
  name: 'claude-code-2026q1',
  showsPaths: true,
  says: 'early 2026: flat `.claude` folders up to the home folder, bundled skills win, each description has an equal share of the listing, `$0` to `$9`',
  visibility: authoredOnly,
  // A host itself provides built-in plugins and workflows.
  precedence: [
    'bundled',
    'builtin-plugin',
    'managed',
    'user',
    'project',
    'additional',
    'legacy',
    'workflow',
    'plugin',
    'builtin',
    'mcp',
  ],
  layout: { walk: 'flat', otherCase: 'report', fallback: { from: 'heading' } },
  plugins: [
    ['managed'],
    ['user', { folders }],
    ['project', { folders, reach: 'home' }],
    ['published', { first: 'commands', agentPlugins: false }],
    ['mcp', { enabled: false, normalise: 'server', skills: false }],
    ['bundled'],
    ['activation', { folders, clash: 'deepest-wins' }],
    ['text', { braces: false, digits: 'one', argN: true, baseDirBraces: false }],
    ['shell', { order: 'parallel', fences: 'look', onError: 'abort' }],
    ['inline', { label: 'name', repeated: 'whole' }],
    ['fork'],
    ['hooks'],
    ['listing', { strategy: 'proportional', maxDescription: 250, escape: 'angles', showsDisplayName: true }],
    ['rules', { prefix: 'text' }],
  ],
  tool: { tellsLoadErrors: false },
})
