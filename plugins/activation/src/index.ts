import { nestedSource } from './nested-source.js'
import { activationOptions, type ActivationOptions } from './options.js'
import { defineProvider, type Provider, type Command } from '@skills/core'
import { ConditionalSkills } from './conditional-skills.js'
import { TouchedFiles, WorkingFolder } from './touched-files.js'

export type { ActivationOptions } from './options.js'

/**
 * Makes the plugin for skills that depend on the files that an agent touches. The host reports them with
 * `skills.emit('file:touched', { paths })`. The plugin consists of the gate `conditional` for skills with `paths`, and
 * the source `nested` for skills in folders below the working folder. Each engine has its own state. See
 * docs/reference/folders.md, "Conditional skills" and "Nested skills".
 */
export function activation(given?: ActivationOptions): readonly [Provider<'gate'>, Provider<'source'>] {
  const options = activationOptions.read(given)
  return [conditionalGate(options), nestedSource(options)]
}

/**
 * Makes the gate that keeps skills with `paths` from the model until a matching file is touched. See
 * docs/reference/folders.md, "Conditional skills".
 */
function conditionalGate({
  touched = [],
  waiting,
  letters,
  nestedIsActive,
}: Pick<ActivationOptions, 'touched' | 'waiting' | 'letters' | 'nestedIsActive'>): Provider<'gate'> {
  return defineProvider({
    kind: 'gate',
    id: 'conditional',
    setup({ host, hook, invalidate, report }) {
      const skills = new ConditionalSkills({
        touched: new TouchedFiles(new WorkingFolder(host)),
        waiting,
        letters,
        nestedIsActive,
        report,
      })
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
