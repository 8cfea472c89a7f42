import { expanderContract, tempTree } from '@skills/testing'
import { testContract } from '@skills/testing/vitest'
import { expand } from '../template/expand.js'
import { shellExpander, type ShellExpanderOptions } from '../shell.js'

for (const order of ['sequence', 'parallel'] satisfies ShellExpanderOptions['order'][]) {
  testContract(
    `an expander of embedded commands, in ${order}`,
    expanderContract(() => {
      const tree = tempTree({ 'notes.txt': 'Some notes.\n' })
      let files = 0
      return {
        provider: shellExpander({ order }),
        expand,
        host: { cwd: tree.path, env: { PATH: process.env['PATH'] } },
        samples: [
          { template: 'It says !`cat notes.txt` here', becomes: 'It says Some notes. here' },
          { template: '```!\necho one\necho two\n```', becomes: 'one\ntwo' },
          { template: 'write \\!`id`', becomes: 'write !`id`' },
        ],
        bring(value) {
          const name = `brought-${++files}.txt`
          tree.write({ [name]: value })
          return { template: `!\`cat ${name}\`` }
        },
        dispose: () => tree.dispose(),
      }
    }),
  )
}
