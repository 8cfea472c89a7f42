import type { FileIdentity } from '@skills/core'
import type { FoundFile } from './tree-options.js'

/** Whose file was not looked at yet. */
export const unread: FileIdentity = Object.freeze({ realPath: '', dev: 0, ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 })

/** The file that is being read, lent to the reader. One record serves every file: an object each would be a good part of the work. */
export class Reading implements FoundFile {
  name = ''
  path = ''
  identity: FileIdentity = unread

  get folder(): string {
    return this.path.slice(0, this.path.lastIndexOf('/'))
  }
}
