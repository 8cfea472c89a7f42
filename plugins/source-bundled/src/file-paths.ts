/** Windows keeps these for devices, with any extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** What some file system does not take in a name, or takes for something else: a drive, a stream, a pattern. */
const special = /[\p{Cc}\p{Cs}\\:<>"|?*]/u

/**
 * What is wrong with the paths of files, so that they are the same files on every platform and all lie in one folder:
 * the end of a sentence that begins with the skill; undefined when they are sound.
 */
export function wrongPath(paths: readonly string[]): string | undefined {
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  for (const path of paths) {
    const problem = wrongSegment(path)
    if (problem !== undefined) return `has a file ${JSON.stringify(path)}, whose path ${problem}`
    const twin = addedTo(files, path)
    if (twin !== undefined)
      return `has the files ${JSON.stringify(twin)} and ${JSON.stringify(path)}, which are one file where case does not count`
    for (const folder of foldersAbove(path)) {
      const other = addedTo(folders, folder)
      if (other !== undefined && other !== folder)
        return `has the folders ${JSON.stringify(other)} and ${JSON.stringify(folder)}, which are one folder where case does not count`
    }
  }
  for (const path of paths) {
    const file = foldersAbove(path)
      .map(above => files.get(foldedPath(above)))
      .find(found => found !== undefined)
    if (file !== undefined)
      return `has the file ${JSON.stringify(file)}, which is the folder of ${JSON.stringify(path)}`
  }
  return undefined
}

/** The folders that a relative path lies in, the outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Adds a path; gives the one that some file system takes for it and that was there before. */
function addedTo(known: Map<string, string>, path: string): string | undefined {
  const before = known.get(foldedPath(path))
  if (before === undefined) known.set(foldedPath(path), path)
  return before
}

/** Equal for paths that some file system takes for one. */
function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

function wrongSegment(path: string): string | undefined {
  if (/^(?:[/\\]|[a-z]:)/i.test(path)) return 'is absolute'
  const names = path.split('/')
  if (names.includes('..') || path.split('\\').includes('..')) return "leads out of the skill's folder"
  if (names.some(name => name === '' || name === '.')) return 'has an empty part or "."'
  if (special.test(path)) return 'holds a character that not every platform takes'
  if (names.some(name => device.test(name))) return 'has the name of a device of Windows'
  return names.some(name => /[. ]$/.test(name)) ? 'has a part that ends in a dot or a space' : undefined
}
