import { readdirSync } from 'node:fs'
import { createSkills, processHost, type Catalog, type Diagnostic, type Host, type Skills } from '@skills/core'
import { fileSource, type FileSourceOptions, type SkillRoot } from '@skills/skill-files'
import { fakeClock, fileStore, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'

export interface IndexedOptions extends Partial<FileSourceOptions> {
  readonly host?: Partial<Host>
}

export interface Run {
  readonly skills: Skills
  readonly catalog: Catalog
  readonly reported: readonly Diagnostic[]
}

/** An engine over folders, as a process of its own would have it, a minute after now. */
export function engineOver(roots: string | readonly SkillRoot[], { host, ...options }: IndexedOptions): { readonly skills: Skills; readonly reported: readonly Diagnostic[] } {
  const reported: Diagnostic[] = []
  const given = typeof roots === 'string' ? [{ path: roots }] : roots
  const skills = createSkills({
    host: processHost({ cwd: '/', env: {}, clock: fakeClock(Date.now() + 60_000), ...host }), onDiagnostic: diagnostic => void reported.push(diagnostic),
    plugins: [fileSource({ id: 'files', source: 'user', roots: () => ({ roots: given }), ...options })],
  })
  return { skills, reported }
}

/** One start: loads, looks, and ends as a process does. */
export async function runOver<T = string>(roots: string | readonly SkillRoot[], options: IndexedOptions, look: (run: Run) => T | Promise<T>): Promise<T> {
  const { skills, reported } = engineOver(roots, options)
  try {
    return await look({ skills, reported, catalog: await skills.catalog() })
  } finally {
    await skills.close()
  }
}

/** Everything that a load says, for comparing. */
export function said({ catalog: { entries, errors, warnings, places, collisions } }: Pick<Run, 'catalog'>): string {
  return JSON.stringify({ entries: entries.map(({ name, command }) => [name, command]), errors, warnings, places, collisions: collisions.map(({ reason }) => reason) }, undefined, 1)
}

/** Skill files of every sort. */
export const sample = {
  'all/root/plain/SKILL.md': '---\nname: plain\ndescription: Öffnet – die Tür. 🚪\nallowed-tools: Read Grep\nmetadata:\n  a: b\n---\nBody of plain',
  'all/root/named/SKILL.md': '---\nname: other-name\naliases: one, two\npaths: src/**\nuser-invocable: no\n---\n\nThe first paragraph.\n\nMore.',
  'all/root/parsed/SKILL.md': '---\ndescription: >\n  Folded\n  text.\nhooks:\n  stop:\n    - matcher: x\n---\nBody',
  'all/root/escaped/SKILL.md': '---\ndescription: "half \\ud83d pair"\n---\nBody',
  'all/root/warned/SKILL.md': '---\nname: warned\ndescription: Text.\nargment-hint: x\n---\nBody',
  'all/root/broken/SKILL.md': '---\nname: [\n---\nBody',
  'all/root/group/inner/SKILL.md': '---\ndescription: Inside.\n---\nInner',
  'all/root/group/lower/skill.md': '---\ndescription: In another case.\n---\nLower',
  'all/root/linked': { link: '../elsewhere' },
  'all/root/file-link/SKILL.md': { link: '../../elsewhere/SKILL.md' },
  'all/elsewhere/SKILL.md': '---\ndescription: Elsewhere.\n---\nBody',
  'all/root/empty': { dir: true },
} as const

/** A tree beside a folder for indexes, and what runs over it. */
export function indexed(entries: TreeEntries = sample, options: IndexedOptions = {}, root: Partial<SkillRoot> = {}) {
  const { tree, countReads } = fileStore({ root: 'all' })
  onTestFinished(() => tree.dispose())
  tree.write(entries)
  const folder = `${tree.path}/cache`
  const roots = [{ path: `${tree.path}/all/root`, ...root }]
  const run = <T>(look: Parameters<typeof runOver<T>>[2], more: IndexedOptions = {}): Promise<T> => runOver<T>(roots, { index: { folder }, ...options, ...more }, look)
  const files = (): readonly string[] => readdirSync(folder).filter(name => name.endsWith('.index'))
  return {
    tree, folder, roots, run, files,
    list: (more?: IndexedOptions) => run(said, more),
    fresh: () => runOver(roots, { ...options, index: false }, said),
    index: () => `${folder}/${files()[0]}`,
    /** Bytes of skill files that are read meanwhile. */
    async bytesRead(work: () => Promise<unknown>): Promise<number> {
      const counter = countReads()
      try {
        await work()
        return counter.bytes
      } finally {
        counter.stop()
      }
    },
  }
}

/** When whoever starts says that it is, in milliseconds after now. */
export const later = (ms: number): IndexedOptions => ({ host: { clock: fakeClock(Date.now() + ms) } })
