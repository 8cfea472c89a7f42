import { testStore } from '@skills/testing/vitest'
import { makeRepository, recorded } from '../../test/make-repository.js'
import { gitStore } from '../git.js'

testStore(
  'a commit of a bare repository',
  samples => {
    const repository = makeRepository(samples)
    const { program, running } = recorded(repository.tree)
    let files = { ...samples }
    return {
      store: gitStore({ repository: repository.path, ref: 'main', program }),
      root: `${repository.path}@main`,
      held: () => running().length,
      change(changed) {
        files = Object.fromEntries(
          Object.entries({ ...files, ...changed }).flatMap(([path, sample]) =>
            sample === undefined ? [] : [[path, sample]],
          ),
        )
        repository.commit(files)
      },
      dispose: () => repository.tree.dispose(),
    }
  },
  { without: { asked: "Reads of the disk are git's own.", sizes: 'A tree has no sizes.', watch: 'It is asked.' } },
)
