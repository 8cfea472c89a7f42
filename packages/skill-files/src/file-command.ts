import { knownFields, type FieldOptions } from '@skills/frontmatter'
import { FileSkill } from './file-skill.js'

/** A prompt of a `commands` folder: a Markdown file by itself, or a folder with a `SKILL.md`. See docs/reference.md, "Legacy commands". */
export class FileCommand extends FileSkill {
  /** The very same file anywhere else would be a skill. */
  override get isSkill(): boolean {
    return this.filePath.endsWith('/SKILL.md')
  }

  override get loadedFrom(): 'commands' {
    return 'commands'
  }

  override get progressMessage(): 'loading' | 'running' {
    return this.isSkill ? 'loading' : 'running'
  }

  /** A file by itself has no folder of its own. */
  override get baseDir(): string | undefined {
    return this.isSkill ? super.baseDir : undefined
  }
}

let only: FieldOptions['only']

/** The fields of a legacy command: its place gives the name, and it is always active. */
export function commandFields(options: FieldOptions | undefined): FieldOptions {
  only ??= knownFields.map(({ name }) => name).filter(name => name !== 'name' && name !== 'paths')
  return { ...options, only: options?.only?.filter(name => only?.includes(name)) ?? only }
}

/** What a file below a `commands` folder is invoked by: its path with `:` between the parts. */
export function commandName(root: string, filePath: string): string {
  return filePath.slice(root.length + 1).replace(/(?:\/skill)?\.md$/i, '').replaceAll('/', ':')
}
