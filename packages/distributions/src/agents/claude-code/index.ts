import { authoredOnly } from '../../authored.js'
import { defineDistribution } from '../../define-distribution.js'
import { listingSettings } from '../../listing-settings.js'
import { claudeCodeFrontmatter } from './frontmatter.js'

const folders = ['.claude']

/**
 * Skills of the program that always have their share of its listing, with the characters of their descriptions; 0 for
 * those that are listed by name if there is little room.
 */
const own = [
  ['dataviz', 1436],
  ['update-config', 690],
  ['keybindings-help', 228],
  ['code-review', 835],
  ['simplify', 176],
  ['fewer-permission-prompts', 163],
  ['loop', 336],
  ['claude-api', 1157],
  ['workflow-authoring', 230],
  ['run', 361],
  ['plugin-authoring', 255],
  ['init', 0],
  ['security-review', 0],
] as const
/** True for the one that is left if bundled skills are switched off. */
const isAlways = ([name]: (typeof own)[number]): boolean => name === 'plugin-authoring'
const isTrue = (value = ''): boolean => ['1', 'true', 'yes', 'on'].includes(value.toLowerCase())

/**
 * Distribution that follows the released Claude Code: flat `.claude` folders up to the root of the repository, skills
 * that come with the program last, commands listed to the model like skills, and a listing of names alone if there is
 * no room for descriptions. It asks for permission only for skills that grant something. See
 * docs/reference/distributions.md, "Distributions", and docs/conformance.md.
 */
export const claudeCode = defineDistribution({
  name: 'claude-code',
  checked: { program: 'Claude Code', version: '2.1.332', on: '2026-11-26' },
  ofProgram: ({ env }) => ({ own: isTrue(env['CLAUDE_CODE_DISABLE_BUNDLED_SKILLS']) ? own.filter(isAlways) : own }),
  traces: { programs: ['claude'], home: ['.claude', '.claude.json'], project: ['.claude', 'CLAUDE.md'] },
  says: 'flat `.claude` folders up to the root of the repository, what comes with the program last, commands told of too, whole descriptions while there is room, questions only for what a skill grants, `skillOverrides` of its settings files',
  visibility: {
    // Skills of plugins are listed only if their author described them, and prompts of servers never.
    isDescribed: command =>
      command.source !== 'mcp' &&
      (command.source === 'plugin'
        ? (authoredOnly.isDescribed?.(command) ?? true)
        : command.description !== '' || (command.type === 'prompt' && (command.whenToUse ?? '') !== '')),
    skillsOnly: false,
  },
  precedence: [
    'managed',
    'user',
    'project',
    'additional',
    'legacy',
    'workflow',
    'plugin',
    'bundled',
    'builtin-plugin',
    'builtin',
    'mcp',
    // Skills that a touched file brings take no name of another skill or command.
    'conditional',
    'nested',
  ],
  // A nested skill whose name another one has is called by its folder, such as `apps/web:deploy`.
  qualifyLosers: ['nested'],
  tellsCaseTwins: true,
  sharesDisplayNames: true,
  layout: {
    walk: 'flat',
    otherCase: 'report-all',
    dialect: claudeCodeFrontmatter,
    skipped: [],
    fallback: { from: 'line', otherwise: 'Skill' },
    fields: {
      booleans: 'else-false',
      aliases: false,
      argumentNames: 'spaced',
      wrongTexts: 'ignored',
      exactContext: true,
      toolSeparator: 'exact',
    },
  },
  plugins: ({ host, managed, listing }) => [
    ['managed'],
    ['user', { folders }],
    ['project', { folders }],
    [
      'published',
      { first: 'commands', skillNames: 'folder', agentPlugins: false, installed: true, unknownSettings: 'keep' },
    ],
    ['mcp', { enabled: false, normalise: 'server', skills: false }],
    ['bundled'],
    [
      'activation',
      // Legacy commands of folders below the working folder are not found.
      { folders: [{ name: '.claude' }], waiting: 'absent', letters: 'any', nestedIsActive: true },
    ],
    ['settings'],
    [
      'text',
      {
        braces: false,
        letters: 'ascii',
        marksCommands: true,
        prices: false,
        names: 'no-bracket',
        escapes: 'arguments',
        baseDirBraces: false,
        words: 'command',
        appended: 'as-is',
      },
    ],
    [
      'shell',
      {
        order: 'parallel',
        fences: 'by-line',
        escapes: false,
        onError: 'abort',
        stderr: 'merge',
        single: 'replaced',
        trims: 'blank',
        wholeBytes: 30_000,
        answers: ['grep', 'egrep', 'fgrep', 'rg', 'find', 'diff', 'git diff', 'git grep', 'test', '['],
      },
    ],
    ['inline', { label: 'name', trims: false }],
    ['fork', { without: ['Agent', 'Task'], listedTools: 'grant', skillHooks: false }],
    ['hooks', { skillFolder: false, strict: true }],
    [
      'listing',
      {
        strategy: 'filling',
        unknownWindow: 8000,
        wideCharsPerToken: 3,
        settings: listingSettings(host, managed?.dirs, listing),
        escape: 'spaced',
        showsDisplayName: 'qualified',
        sorts: 'places',
        showsScope: true,
      },
    ],
    [
      'rules',
      {
        sourceNames: 'saved',
        prefix: 'text-or-words',
        safe: 'unless-granting',
        asterisks: 'anywhere',
        alternatives: false,
      },
    ],
  ],
  invoker: { typing: 'skill', letters: 'exact', slash: { trims: true, leavesPaths: true } },
  tool: {
    tellsLoadErrors: false,
    suggests: true,
    letters: 'exact',
    texts: { off: name => `Skill ${name} is switched off for model invocation by an override.` },
  },
})
