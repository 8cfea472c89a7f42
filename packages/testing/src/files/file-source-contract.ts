import { checkOptions } from '@skills/core'
import { fileStore, type FileStoreOptions } from './file-store.js'
import { sourceContract } from '../contract/source-contract.js'
import type { ContractCase } from '../contract/contract-case.js'
import type { Host } from '@skills/core'
import type { SourceContractOptions, SourceFixture } from '../contract/fixture.js'

export interface FileSourceContractOptions extends FileStoreOptions, SourceContractOptions {
  /** Makes the source under test. @param tree path of the temporary tree, absolute, forward slashes */
  readonly provider: (tree: string) => SourceFixture['provider']
  /** Returns the values of the host that lead the source to the root, such as the home folder. Default: none. */
  readonly host?: (tree: string) => Partial<Host>
}

/**
 * Returns the contract of a source that reads files, each skill in a folder of its own, as cases. See
 * docs/reference/sources.md, "The contract of a source".
 *
 *     fileSourceContract({ root: '.claude/skills', provider: () => userSource(), host: home => ({ home }) })
 */
export function fileSourceContract(options: FileSourceContractOptions): readonly ContractCase[] {
  checkOptions<FileSourceContractOptions>('fileSourceContract()', options, {
    provider: 1,
    host: 1,
    root: 1,
    fileName: 1,
    broken: 1,
    format: 1,
    without: 1,
    patienceMs: 1,
  })
  const { provider, host, without, patienceMs, ...ofStore } = options
  return sourceContract(
    () => {
      const store = fileStore(ofStore)
      const { path } = store.tree
      return {
        provider: provider(path),
        store,
        ...(host !== undefined && { host: host(path) }),
        dispose: () => store.tree.dispose(),
      }
    },
    {
      without: {
        stall:
          'No disk can be made to hang when a test asks for it; "endless" and the time limit of the engine stand for it.',
        ...(process.platform === 'win32' && { putEndless: 'Windows has no named pipes.' }),
        ...without,
      },
      ...(patienceMs !== undefined && { patienceMs }),
    },
  )
}
