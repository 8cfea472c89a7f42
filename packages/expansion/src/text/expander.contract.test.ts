import { expanderContract, tempTree } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { expand } from '../template/expand.js'
import { linksExpander, textExpander } from '../text.js'

testContract(
  'an expander of arguments and variables',
  expanderContract(() => ({
    provider: textExpander(),
    expand,
    host: { sessionId: 'session-1', cwd: '/work' },
    samples: [
      { template: 'With $ARGUMENTS.', args: 'one "two three"', becomes: 'With one "two three".' },
      { template: '`$1` of $ARGUMENTS[0]', args: 'a b', becomes: '`b` of a' },
      { template: 'In ${CLAUDE_SESSION_ID} at ${CLAUDE_PROJECT_DIR}', becomes: 'In session-1 at /work' },
      { template: 'costs \\$5', becomes: 'costs $5' },
    ],
    bring: value => ({ template: '$ARGUMENTS', args: value }),
  })),
)

testContract(
  'an expander of links',
  expanderContract(
    () => {
      const tree = tempTree({ 'skill/notes.md': 'Notes.' })
      return {
        provider: linksExpander(),
        expand,
        command: { baseDir: `${tree.path}/skill` },
        dispose: () => tree.dispose(),
        samples: [
          { template: 'See [notes](notes.md).', becomes: `See [notes](${tree.path}/skill/notes.md).` },
          { template: 'Read `notes.md`', becomes: `Read \`${tree.path}/skill/notes.md\`` },
        ],
      }
    },
    { without: { bring: 'It makes paths absolute and brings nothing in.' } },
  ),
)
