import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root, workspacePackages } from '../workspace.mjs'

/**
 * Files that open files without `readWholeFile` of `@skills/files`, and the reason. A new one needs a good reason too.
 */
const exceptions: Readonly<Record<string, string>> = {
  'packages/files/src/file-reads.ts': 'reads for the walk and for readWholeFile',
  'packages/files/src/watch-overflow.ts': 'a figure of the running system',
  'packages/cli/src/code-cache.ts': 'the built files of the program, and its own cache',
  'packages/authoring/src/pack-plugin.ts': 'the tarball that npm has just made in a folder of our own',
  'packages/install/src/content-cache.ts': 'an archive in a folder of our own, of which a digest is made in pieces',
  'packages/runs/src/run-keys.ts':
    'keys of the host, opened without waiting; runs cannot import files, and reads as carefully',
  'packages/ui/src/page-files.ts': 'built files of this package',
  'packages/state/src/lock-holder.ts': 'files of the system about processes',
  'packages/state/src/lock-file.ts': 'locks: opened without waiting, and of each a few bytes are read',
  'packages/state/src/private-file.ts':
    "files of our own; state cannot import fs, and reads as carefully, and only what is the user's alone",
  'packages/state/src/writer/keep-own.ts': 'writes a new file of the cache',
  'packages/state/src/writer/open-folder.ts': 'folders that are held while something in them is written',
  'packages/state/src/writer/root.ts': 'the one writer: opens to write, and compares what it replaces',
  'plugins/permission-rules/src/save-rules.ts':
    'settings that the person has just changed, to write them back unless another did',
  'plugins/source-bundled/src/extract-folder.ts': 'a marker of our own',
  'plugins/source-bundled/src/file-entries.ts': 'files that a program brings along',
  'plugins/source-bundled/src/inspect-tree.ts':
    "an extracted folder of our own; read as carefully, and only what is the user's alone",
  'packages/store/src/archive/archive-bytes.ts':
    'archives, which may be larger and are read in pieces: opened without waiting and compared by their stamps',
  'packages/store/src/archive/tar.ts': 'a file that the caller gives it for what it unpacks',
  'plugins/trust/src/skill-digest.ts':
    'digests without holding a file in memory; each is opened as readWholeFile does and compared by its stamp',
}

// Opening an outside file must not wait for a pipe, follow a link out, or read a device endlessly.
test('what comes from outside is opened in one place', () => {
  const found = workspacePackages()
    .filter(
      ({ folder }) => /^(packages|plugins)\//.test(folder) && !['packages/config', 'packages/testing'].includes(folder),
    )
    .flatMap(({ folder }) =>
      readdirSync(path.join(root, folder, 'src'), { recursive: true, encoding: 'utf8' }).map(
        file => `${folder}/src/${file.replaceAll('\\', '/')}`,
      ),
    )
    .filter(file => file.endsWith('.ts') && !/\.test(?:-d)?\.ts$/.test(file))
    .filter(file =>
      /import \{[^}]*\b(?:readFile|readFileSync|open|openSync|createReadStream|promises)\b[^}]*\} from 'node:fs(?:\/promises)?'/.test(
        readFileSync(path.join(root, file), 'utf8'),
      ),
    )
  expect(found.toSorted()).toEqual(Object.keys(exceptions).toSorted())
})
