// @ts-check

/** By the letter that tests name them by. @type {Readonly<Record<string, string>>} */
export const distributions = {
  S: 'standard',
  R: 'claude-code',
  C: 'claude-code-2026q1',
  K: 'claude-code-classic',
  O: 'opencode',
  M: 'mini',
  X: 'cocode',
}

/** @type {readonly (readonly [number: number, title: string])[]} */
export const rows = [
  [1, 'order of sources'],
  [2, 'roots of a project'],
  [3, 'folders'],
  [4, 'walk'],
  [5, 'what a skill goes by'],
  [6, 'the same file twice'],
  [7, 'the same name twice'],
  [8, 'clash with a nested folder'],
  [9, 'legacy commands'],
  [10, 'MCP'],
  [11, 'skills that a program brings along'],
  [12, 'when bodies are read'],
  [13, 'scan'],
  [20, 'fields honoured'],
  [21, 'parser'],
  [22, 'description absent'],
  [23, 'flags'],
  [24, 'allowed-tools'],
  [25, 'limits'],
  [26, 'result of a load'],
  [30, 'described'],
  [31, 'visible to models'],
  [32, 'three lists'],
  [33, 'hidden'],
  [34, 'enabled'],
  [40, 'where the listing goes'],
  [41, 'strategy'],
  [42, 'fair and proportional'],
  [43, 'cutoff'],
  [44, 'fixed'],
  [45, 'xml'],
  [46, 'grouped'],
  [50, 'tool and input'],
  [51, 'validation'],
  [52, 'remote skills'],
  [53, 'result of permission'],
  [54, 'prefix rules'],
  [55, 'harmless skills'],
  [56, "OpenCode's tool"],
  [57, "Mini's invocation"],
  [58, 'the classic tool'],
  [59, 'visible message'],
  [60, 'context'],
  [61, 'a skill invoked again'],
  [70, 'header'],
  [71, 'arguments'],
  [72, 'variables'],
  [73, 'embedded commands'],
  [74, 'files'],
  [75, 'fork'],
  [76, 'hooks'],
  [77, 'activation and discovery'],
  [78, 'trust'],
  [80, 'event of an invocation'],
  [81, 'event of a change'],
  [82, 'event of a cut listing'],
  [83, 'event of a load'],
]

/** What of a row is not there yet, and for whom. @type {Readonly<Record<number, { letters: string, what: string }>>} */
export const pending = {}

/** What is worth knowing besides. @type {Readonly<Record<number, readonly string[]>>} */
export const notes = {
  10: ['The switch of both claude-codes is `mcp: { enabled: true }`.'],
  11: ['The hash of the marker has each path followed by its content, in the order of the paths, and nothing between.'],
  12: [
    'claude-code-classic, mini and cocode may keep bodies from loading on; here every distribution reads them when they are needed.',
  ],
  13: ['OpenCode scans once when it starts; here an invalidation is followed.'],
  21: ['OpenCode makes block scalars of values with a colon before it parses; here repair gives the same text.'],
  25: [
    'The reason precedes the message of the diagnostic.',
    'A skill of cocode goes by the name of its folder, so that its name is limited there as well as in the frontmatter.',
    'A short form of the description is no field here: it is kept in `metadata` and shown nowhere, so that nothing limits it.',
  ],
  26: [
    'The event is `sources:failed`; what is wrong with each file stands in the errors of the catalog.',
    'A link that leads back costs no skill, so it is a warning.',
    'The configuration of a user names skills to switch off (`overrides: { name: "off" }`) where cocode\'s names their folders; `disabledPaths` is for sources.',
  ],
  33: ['cocode hides skills that people may not invoke from models too; here models are told of them.'],
  45: ['Values are escaped.'],
  55: ['A body with an embedded command needs permission.'],
  50: ['The sentences are our own.'],
  57: [
    'Mini prints a line when a person invokes a skill. Libraries print nothing here: a host does so at `invocation:start`.',
  ],
  60: ['How long a model may think is for the host to say: no field has it.'],
  73: [
    'OpenCode asks no question before a command runs; here each needs permission. Fenced blocks that begin with an exclamation mark run in it as well.',
  ],
  74: [
    'claude-code attaches files that the text of a skill names with `@`. What a text of a repository names would be sent unasked, so that it is off here; a host switches it on with `files: {}`.',
  ],
  78: ['Content of servers never runs anything, in any distribution.'],
  80: [
    'Rows 80 to 83 are the events that hosts count; these numbers are of this page alone.',
    'The event is `invocation:start`. What a skill is really called is `entry.name`.',
  ],
  81: ['The event is `skills:changed`.'],
  82: ['The event is `listing:truncated`.'],
  83: ['The event is `sources:loaded`.'],
}
