import { after, withRead } from '@skills/store/internal'
import type { ReadCall, Store, StoreFile } from '@skills/store'

/** Files that a walk searches for. A superfluous file only costs time, but a file that is missing here is not found. */
export interface WantedFiles {
  /** Returns true if the file at a path is wanted for its path alone. */
  isWantedAt(path: string): boolean
  /**
   * Returns true if a file is wanted for its frontmatter.
   * @param block bytes from the first fence to the last, one character a byte
   */
  isWantedFor(block: string): boolean
}

/**
 * Wraps a store so that a walk gets only the wanted files. The walk opens other files and skips them, without an item
 * or an error. A file that a link of another name leads to is always wanted, because it may be one of the wanted files.
 */
export function selectedStore(store: Store, wanted: WantedFiles): Store {
  return withRead(store, (path, call) =>
    after(store.read(path, call), file => (isUnwanted(path, call, file, wanted) ? { found: 'unwanted' } : file)),
  )
}

function isUnwanted(
  path: string,
  { head, via, realPath = path }: ReadCall,
  file: StoreFile | undefined,
  wanted: WantedFiles,
): boolean {
  if (
    head === undefined ||
    via !== undefined ||
    file?.found !== 'file' ||
    isRenamed(path, realPath) ||
    wanted.isWantedAt(path)
  )
    return false
  const block = blockOf(file.bytes, file.length)
  return block !== undefined && !wanted.isWantedFor(block)
}

/** Returns the frontmatter if the first bytes hold all of it, as in nearly all files; otherwise undefined. */
function blockOf(bytes: Buffer, length: number): string | undefined {
  const start = bytes.toString('latin1', 0, Math.min(5, length))
  const end = start.startsWith('---\n') || start === '---\r\n' ? bytes.indexOf('\n---', 3) : -1
  const isFence = end !== -1 && (bytes[end + 4] === 10 || (bytes[end + 4] === 13 && bytes[end + 5] === 10))
  return isFence && end + 6 <= length ? bytes.toString('latin1', 0, end) : undefined
}

/** Returns true if a link gives a file or its folder another name. */
function isRenamed(path: string, realPath: string): boolean {
  return path !== realPath && path.split('/').slice(-2).join('/') !== realPath.split('/').slice(-2).join('/')
}
