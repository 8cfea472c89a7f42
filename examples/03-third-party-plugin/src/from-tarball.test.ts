import { lstatSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fromTarball, plugin } from './from-tarball.js'

it('the plugin is loaded from its packed tarball, with all that was published and nothing of its own folder', async () => {
  await fromTarball(async ({ tarball, path, commands }) => {
    expect(tarball).toMatch(/database-skills-0\.1\.0\.tgz$/)
    // Unpacked, where a link would lead to the plugin's own folder and need no package at all.
    expect(lstatSync(path).isDirectory()).toBe(true)
    expect(filesIn(path)).toEqual(filesIn(plugin))

    expect(commands).toMatchObject(
      ['describe-schema', 'review-migration'].map(name => ({
        name: `database-skills:${name}`,
        isSkill: true,
        plugin: { name: 'database-skills', version: '0.1.0' },
      })),
    )
    for (const command of commands) {
      const file = `skills/${command.displayName}/SKILL.md`
      expect(command.filePath).toBe(`${path.replaceAll('\\', '/')}/${file}`)
      expect(await command.load('', { signal: new AbortController().signal })).toEqual({
        template: bodyOf(join(plugin, file)),
      })
    }
  })
})

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => lstatSync(join(folder, file)).isFile())
    .toSorted()
}

/** Returns the text below the frontmatter. */
function bodyOf(file: string): string {
  const text = readFileSync(file, 'utf8')
  return text.slice(text.indexOf('\n---\n', 3) + '\n---\n'.length)
}
