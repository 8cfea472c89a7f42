import { after, withRead } from '@skills/store/internal'
import type { ReadCall, Store, StoreFile } from '@skills/store'

/** Which files a walk is for. What is too many costs time alone; what is missing is not found. */
export interface WantedFiles {
  /** Whether the file at a path is wanted for its path alone, without a look at its frontmatter. */
  isWantedAt(path: string): boolean
  /** Whether one is wanted for its frontmatter: its bytes from the first fence to the last, one character a byte. */
  isWantedFor(block: string): boolean
}

/**
 * A store of which a walk gets those files alone that it is for. The others are opened, looked at and passed over:
 * nothing is made of them, not even an error. What is reached by a link of another name is always wanted, since it may
 * be the same file as one that is.
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

/** The frontmatter of a file that has one in its first bytes, as nearly all have; undefined of any other. */
function blockOf(bytes: Buffer, length: number): string | undefined {
  const start = bytes.toString('latin1', 0, Math.min(5, length))
  const end = start.startsWith('---\n') || start === '---\r\n' ? bytes.indexOf('\n---', 3) : -1
  const isFence = end !== -1 && (bytes[end + 4] === 10 || (bytes[end + 4] === 13 && bytes[end + 5] === 10))
  return isFence && end + 6 <= length ? bytes.toString('latin1', 0, end) : undefined
}

/** Whether a file goes by a name that a link gives its folder, or itself. */
function isRenamed(path: string, realPath: string): boolean {
  return path !== realPath && path.split('/').slice(-2).join('/') !== realPath.split('/').slice(-2).join('/')
}
