/** Fields of a plugin package that a package file may lack. */
export interface PackageFields {
  readonly name: string
  readonly version: string
  readonly description: string
  /** Folders and files that belong to the plugin, relative. */
  readonly published: readonly string[]
}

/** Returns the text of a new package file. */
export function newPackageText({ name, version, description, published }: PackageFields): string {
  const data = {
    name,
    version,
    description,
    keywords: ['agent-skills', 'skills'],
    ...(published.length === 0 ? {} : { files: published }),
    skillsPaths: ['./skills'],
  }
  return `${JSON.stringify(data, undefined, 2)}\n`
}
