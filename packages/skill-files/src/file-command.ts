import { knownFields, type FieldOptions } from '@skills/skill-md'
import { stemOf } from '@skills/fs'
import { FileSkill } from './file-skill.js'
import type { SkillRoot } from './layout.js'

/** In whatever case: a layout may load `skill.md` too. */
const skillFile = /\/skill\.md$/i

/** A prompt of a `commands` folder: a Markdown file by itself, or a folder with a `SKILL.md`. See docs/reference.md, "Legacy commands". */
export class FileCommand extends FileSkill {
  /** The very same file anywhere else would be a skill. */
  override get isSkill(): boolean {
    return skillFile.test(this.filePath)
  }

  override get loadedFrom(): 'commands' | 'plugin' {
    return this.plugin === undefined ? 'commands' : 'plugin'
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

/** What a file at or below a root is invoked by where paths give names: its path with `:` between the parts, after the name of the plugin. */
export function pathName({ path: root, name, plugin }: SkillRoot, filePath: string): string {
  const below = filePath.slice(root.length + 1, stemEnd(filePath))
  const local = below === '' ? name ?? stemOf(root.slice(root.lastIndexOf('/') + 1)) : below.includes('/') ? below.replaceAll('/', ':') : below
  return plugin === undefined ? local : `${plugin.name}:${local}`
}

/** Where the part of a path ends that gives a name: before `.md`, and before a `/SKILL.md`, in whatever case. */
function stemEnd(path: string): number {
  if (path.endsWith('/SKILL.md')) return path.length - '/SKILL.md'.length
  if (!/\.md$/i.test(path)) return path.length
  const end = path.length - 3
  return path.slice(end - 6, end).toLowerCase() === '/skill' ? end - 6 : end
}
