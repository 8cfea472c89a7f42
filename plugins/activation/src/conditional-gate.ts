import { defineProvider, type Command, type Provider } from '@skills/core'
import { ConditionalSkills } from './conditional-skills.js'
import { TouchedFiles, WorkingFolder } from './touched-files.js'
import type { ActivationOptions } from './options.js'

/**
 * Keeps skills with `paths` from the model until a file that matches is touched. See
 * docs/reference/folders.md, "Conditional skills".
 */
export function conditionalGate({
  touched = [],
  waiting,
}: Pick<ActivationOptions, 'touched' | 'waiting'>): Provider<'gate'> {
  return defineProvider({
    kind: 'gate',
    id: 'conditional',
    setup({ host, hook, invalidate, report }) {
      const skills = new ConditionalSkills({ touched: new TouchedFiles(new WorkingFolder(host)), waiting, report })
      skills.touch(touched)
      hook('file:touched', ({ paths }) => {
        if (skills.touch(paths)) invalidate(undefined, 'activation')
      })
      return {
        rules: () => skills.rules(),
        explain: (_name: string, command: Command | undefined) => skills.explain(command),
      }
    },
  })
}
