import { expanderContract, tempTree } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { expand } from '../template/expand.js'
import { filesExpander } from '../files.js'

testContract(
  'an expander of file references',
  expanderContract(() => {
    const tree = tempTree({ 'project/notes.md': 'Some notes.', 'project/skill/own.txt': 'of the skill' })
    let files = 0
    return {
      provider: filesExpander(),
      expand,
      host: { cwd: `${tree.path}/project`, home: `${tree.path}/home` },
      command: { baseDir: `${tree.path}/project/skill` },
      samples: [
        { template: 'Read @notes.md', becomes: 'Read Some notes.' },
        { template: '(@own.txt, and @notes.md, too)', becomes: '(of the skill, and Some notes., too)' },
      ],
      bring(value) {
        const name = `brought-${++files}.txt`
        tree.write({ [`project/${name}`]: value })
        return { template: `@${name}` }
      },
      dispose: () => tree.dispose(),
    }
  }),
)
